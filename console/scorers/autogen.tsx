import { useState } from 'preact/hooks';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { TaskResult } from '../../core/scorers/validation/task-result.ts';
import type { ChainPollTemplate } from '../api/built-in-versions.ts';
import { get, post } from '../api/client.ts';
import { Field } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import type { JudgeDraft } from './judge-draft.ts';

type Written = Pick<JudgeDraft, 'question' | 'role' | 'criterion'>;

interface AutogenButtonProps {
  readonly scorer: Scorer;
  readonly draft: JudgeDraft;
  readonly onWritten: (written: Written) => void;
}

const POLL_MS = 700;

/** Has the chosen model write the prompts from a description in plain words; nothing is saved by it. */
export function AutogenButton({ scorer, draft, onWritten }: AutogenButtonProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Generate with AI
      </button>
      {asking && (
        <FormDialog
          title="Generate with AI"
          verb="Write"
          onClose={() => setAsking(false)}
          onSubmit={async (values) => onWritten(await write(scorer, draft, String(values.get('instructions'))))}
        >
          <Field
            label="What is to be judged?"
            help={`${draft.model_name || 'The model'} writes the prompts; you read them before they are saved.`}
          >
            {(id) => <textarea class="form-control" id={id} name="instructions" rows={5} required />}
          </Field>
        </FormDialog>
      )}
    </>
  );
}

async function write(scorer: Scorer, draft: JudgeDraft, instructions: string): Promise<Written> {
  const { model_name, output_type, cot_enabled, scoreable_node_types } = draft;
  const request = { name: scorer.name, instructions, model_name, output_type, cot_enabled, scoreable_node_types };
  const { task_result_id } = await post<{ task_result_id: string }>('/scorers/llm/autogen', request);
  const { status, result } = await ended(task_result_id);
  if (typeof result === 'string') throw new Error(result);
  if (status === 'failed' || result === null) throw new Error('the model wrote nothing');
  const { chain_poll_template } = (result as { result: { chain_poll_template: Partial<ChainPollTemplate> } }).result;
  return {
    question: chain_poll_template.template ?? '',
    role: chain_poll_template.metric_system_prompt ?? '',
    criterion: chain_poll_template.metric_description ?? '',
  };
}

async function ended(task_id: string): Promise<TaskResult> {
  for (;;) {
    const task = await get<TaskResult>(`/scorers/llm/autogen/${task_id}`);
    if (task.status === 'completed' || task.status === 'failed') return task;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
