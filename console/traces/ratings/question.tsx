import { useId, useState } from 'preact/hooks';
import type { AnnotationTemplate } from '../../../core/ratings/annotation-template.ts';
import type { RatingValue } from '../../../core/ratings/rating.ts';
import type { RatingView } from '../../../core/ratings/rating-views.ts';
import { post } from '../../api/client.ts';
import { Failure } from '../../kit/notices.tsx';
import { useAction } from '../../kit/use-action.ts';
import type { RunPlace } from '../run-place.ts';
import type { TraceNode } from '../steps/step.ts';
import { AnswerField } from './answer-field.tsx';
import { aggregateText } from './ratings.ts';

interface QuestionProps {
  readonly question: AnnotationTemplate;
  readonly record: TraceNode;
  readonly run: RunPlace;
  readonly user_id: string;
  readonly ratings: RatingView;
  readonly onAnswered: () => void;
}

/** A question of the project about this step: what all answers come to, and one's own. */
export function Question({ question, record, run, user_id, ratings, onAnswered }: QuestionProps) {
  const { id, name, annotation_type, instructions } = question;
  const mine = ratings.annotations[id]?.[user_id];
  const [value, setValue] = useState<RatingValue | undefined>(mine?.value);
  const [explanation, setExplanation] = useState(mine?.explanation ?? '');
  const why = useId();
  const answer = useAction(async (given: RatingValue | null) => {
    const body = { ...run.ids, record_id: record.id, template_id: id, value: given, explanation: explanation || null };
    await post(`/projects/${record.project_id}/annotations`, body);
    if (given === null) setValue(undefined);
    onAnswered();
  });
  const all = ratings.annotation_aggregates[id]?.aggregate as Readonly<Record<string, Record<string, unknown>>> | undefined;
  return (
    <form
      class="question"
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== undefined) void answer.run(value);
      }}
    >
      <div class="d-flex justify-content-between">
        <h3 class="h6 mb-1">{name}</h3>
        <span class="small text-body-secondary">{aggregateText(annotation_type, all?.[annotation_type])}</span>
      </div>
      {instructions && <p class="small text-body-secondary mb-1">{instructions}</p>}
      <AnswerField
        question={question}
        value={value}
        onChange={(given, final) => {
          setValue(given);
          if (final) void answer.run(given);
        }}
      />
      <div class="d-flex gap-2 mt-1">
        <label class="visually-hidden" for={why}>
          Why
        </label>
        <input
          class="form-control form-control-sm"
          id={why}
          placeholder="Why"
          value={explanation}
          onInput={(event) => setExplanation(event.currentTarget.value)}
        />
        <button type="submit" class="btn btn-sm btn-primary" disabled={answer.busy || value === undefined}>
          Save
        </button>
        {mine && (
          <button type="button" class="btn btn-sm btn-outline-secondary text-nowrap" onClick={() => void answer.run(null)}>
            Clear
          </button>
        )}
      </div>
      <Failure error={answer.error} />
    </form>
  );
}
