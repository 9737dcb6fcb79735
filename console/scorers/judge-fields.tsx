import { Check } from '../kit/check.tsx';
import { Choice, worded } from '../kit/choice.tsx';
import { Field } from '../kit/field.tsx';
import type { JudgeDraft } from './judge-draft.ts';
import { NodeTypeChoice } from './node-type-choice.tsx';
import { INPUT_WORDS, OUTPUT_WORDS } from './words.ts';

interface FieldsProps {
  readonly draft: JudgeDraft;
  readonly models: readonly string[];
  /** The prompts of presets are their own. */
  readonly isPreset: boolean;
  readonly onChange: (changed: Partial<JudgeDraft>) => void;
}

/** All settings of a judge: how it is asked on the left, what it is asked on the right. */
export const JudgeFields = (props: FieldsProps) => (
  <div class="row g-4">
    <div class="col-lg-4">
      <Settings {...props} />
    </div>
    <div class="col-lg-8">
      <Prompts {...props} />
    </div>
  </div>
);

const MOST_JUDGES = 10;

const Settings = ({ draft, models, isPreset, onChange }: FieldsProps) => (
  <>
    <Field label="Model" help="A model of your integrations.">
      {(id) => (
        <>
          <input
            class="form-control form-control-sm"
            id={id}
            list={`${id}-models`}
            value={draft.model_name}
            onInput={(event) => onChange({ model_name: event.currentTarget.value })}
          />
          <datalist id={`${id}-models`}>
            {models.map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
        </>
      )}
    </Field>
    <Field label="Number of judges" help="Several show by their disagreement where the question is unclear.">
      {(id) => (
        <input
          class="form-control form-control-sm"
          id={id}
          type="number"
          min={1}
          max={MOST_JUDGES}
          value={draft.num_judges}
          onInput={(event) => onChange({ num_judges: event.currentTarget.valueAsNumber || 1 })}
        />
      )}
    </Field>
    {!isPreset && (
      <Text
        label="Jury"
        rows={2}
        value={draft.jurors}
        placeholder={'gpt-4.1-mini, openai, 2\nmistral-small'}
        help="A line for each model, behind commas its provider and weight: each is asked once, in place of the model and number above."
        onInput={(jurors) => onChange({ jurors })}
      />
    )}
    <Check
      class="mb-3"
      label="Chain of thought (explain before scoring)"
      checked={draft.cot_enabled}
      onCheck={(cot_enabled) => onChange({ cot_enabled })}
    />
    <Choice
      small
      label="Output type"
      choices={worded(OUTPUT_WORDS)}
      value={draft.output_type}
      onChoose={(output_type) => onChange({ output_type })}
    />
    <Choice
      small
      label="Input"
      choices={worded(INPUT_WORDS)}
      value={draft.input_type}
      onChoose={(input_type) => onChange({ input_type })}
    />
    <div class="mb-3">
      <span class="form-label d-block" aria-hidden="true">
        Evaluates
      </span>
      <NodeTypeChoice
        types={draft.scoreable_node_types}
        onChoose={(scoreable_node_types) => onChange({ scoreable_node_types })}
      />
    </div>
    {!isPreset && (
      <Text
        label="Advanced (JSON)"
        rows={3}
        value={draft.further}
        placeholder='{"temperature": 0, "labels": ["a", "b"]}'
        help="JSON with labels, range, aggregation, temperature, max_tokens, include_files. Not inherited from the previous version."
        onInput={(further) => onChange({ further })}
      />
    )}
  </>
);

const Prompts = ({ draft, isPreset, onChange }: FieldsProps) => (
  <>
    <Text
      label="System prompt"
      rows={2}
      value={draft.role}
      readOnly={isPreset}
      placeholder="Default used if empty."
      onInput={(role) => onChange({ role })}
    />
    <Text
      label="Criteria"
      rows={8}
      value={draft.criterion}
      readOnly={isPreset}
      placeholder="The criterion, with a rubric for each verdict."
      onInput={(criterion) => onChange({ criterion })}
    />
    <Text
      label="Prompt template"
      rows={10}
      value={draft.question}
      readOnly={isPreset}
      help="Variables: {{input}}, {{output}}, {{context}}, {{tools}}, {{conversation}}, {{trace}}, {{ground_truth}}, {{metadata.<key>}}, {{material}}."
      onInput={(question) => onChange({ question })}
    />
  </>
);

interface TextProps {
  readonly label: string;
  readonly rows: number;
  readonly value: string;
  readonly placeholder?: string;
  readonly help?: string;
  readonly readOnly?: boolean;
  readonly onInput: (text: string) => void;
}

const Text = ({ label, rows, value, placeholder, help, readOnly = false, onInput }: TextProps) => (
  <Field label={label} help={help}>
    {(id) => (
      <textarea
        class="form-control prompt"
        id={id}
        rows={rows}
        readOnly={readOnly}
        placeholder={placeholder ?? ''}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    )}
  </Field>
);
