import type { AnnotationTemplate } from '../../core/ratings/annotation-template.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { get, post } from '../api/client.ts';
import { Check } from '../kit/check.tsx';
import { Choice, named, worded } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { chosenPeople, PeopleFields } from './people.tsx';
import { ORDER } from './queue.ts';

const REVIEW = worded({
  none: 'No record',
  disagreement: 'Records that annotators disagree on',
  all: 'Every record',
});

const MOST_SCORERS = 1_000;

interface NewQueueProps {
  readonly project_id: string;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Lines the newest traces of a log stream up for annotators. */
export function NewQueue({ project_id, onMade, onClose }: NewQueueProps) {
  const loaded = useLoaded(`queue choices ${project_id}`, async (signal) => {
    const [streams, templates, { scorers }] = await Promise.all([
      get<{ id: string; name: string }[]>(`/projects/${project_id}/log_streams`, { signal }),
      get<AnnotationTemplate[]>(`/projects/${project_id}/annotation_templates`, { signal }),
      post<{ scorers: Scorer[] }>('/scorers/list', {}, { query: { limit: MOST_SCORERS }, signal }),
    ]);
    return { streams, templates, judges: scorers.filter(({ model_type }) => model_type === 'llm') };
  });
  const make = async (values: FormData): Promise<void> => {
    const [name, log_stream_id, review, order_by] = ['name', 'log_stream', 'review', 'order'].map((field) => values.get(field));
    const [answers_required, max_records] = ['answers', 'records'].map((field) => Number(values.get(field)));
    const chosen = { log_stream_id, template_ids: values.getAll('question'), max_records };
    const scorer_id = values.get('judges');
    const rule = scorer_id ? { judge_disagreement: { scorer_id, above: Number(values.get('above')) } } : {};
    await post(`/projects/${project_id}/annotation_queues`, {
      ...{ name, ...chosen, ...rule, review, order_by, answers_required },
      ...chosenPeople(values),
    });
    onMade();
  };
  return (
    <FormDialog title="New queue" verb="Create" onClose={onClose} onSubmit={make}>
      <Show loaded={loaded}>
        {({ streams, templates, judges }) => (
          <>
            <TextField label="Name" name="name" required />
            <Choice label="Log stream" name="log_stream" choices={streams.map(named)} />
            <TextField label="Newest traces" name="records" type="number" value="100" required />
            <fieldset class="mb-3">
              <legend class="form-label fs-6">Annotation fields</legend>
              {templates.map(({ id, name }) => (
                <Check key={id} label={name} name="question" value={id} checked />
              ))}
              {templates.length === 0 && (
                <p class="form-text">The project has no annotation fields: add one at a trace, under Feedback.</p>
              )}
            </fieldset>
            <TextField label="Answers per record" name="answers" type="number" value="1" required />
            <Choice label="Reviewed by a reviewer" name="review" choices={REVIEW} />
            <Choice label="Order" name="order" choices={ORDER} />
            <PeopleFields project_id={project_id} />
            <Choice
              label="Add when judges disagree"
              name="judges"
              choices={[{ id: '', label: 'No scorer' }, ...judges.map(named)]}
              help="Records are added when the judges of this scorer disagree, and the queue begins with such records."
            />
            <TextField
              label="Minimum disagreement"
              name="above"
              type="number"
              step="any"
              value="0.3"
              help="0: at all; 0.5: half of the votes."
            />
          </>
        )}
      </Show>
    </FormDialog>
  );
}
