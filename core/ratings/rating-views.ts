import { computeAggregate } from './aggregate.ts';
import type { AnnotationTemplate } from './annotation-template.ts';
import type { RatingType, RatingValue } from './rating.ts';
import type { Annotation, Feedback, RatingStore, Ratings } from './rating-store.ts';
import { computeTruth, getDecisive } from './truth.ts';

interface Shown {
  readonly value: RatingValue;
  readonly explanation: string | null;
}

/** The ratings of a record as the API shows them: feedback by name, annotations by template and annotator. */
export interface RatingView {
  readonly feedback_rating_info: Readonly<Record<string, Shown & { readonly feedback_type: RatingType }>>;
  readonly annotations: Readonly<Record<string, Readonly<Record<string, Shown & { readonly annotation_type: RatingType }>>>>;
  readonly annotation_aggregates: Readonly<Record<string, { readonly aggregate: object }>>;
  /** By template: what its answers come to by its rule; null where they come to nothing. */
  readonly annotation_truths: Readonly<Record<string, RatingValue | null>>;
}

const NOTHING: RatingView = { feedback_rating_info: {}, annotations: {}, annotation_aggregates: {}, annotation_truths: {} };

/** Of the given records of a run; a record without ratings shows empty ones. */
export async function ratingViews(
  store: RatingStore,
  project_id: string,
  run_id: string,
  record_ids: readonly string[],
): Promise<(record_id: string) => RatingView> {
  const { feedback, annotations } = await store.list(project_id, run_id, record_ids);
  if (feedback.length === 0 && annotations.length === 0) return () => NOTHING;
  const templates = annotations.length === 0 ? [] : await store.listTemplates(project_id);
  const feedbackOf = Map.groupBy(feedback, ({ record_id }) => record_id);
  const annotationsOf = Map.groupBy(annotations, ({ record_id }) => record_id);
  return (id) => toView({ feedback: feedbackOf.get(id) ?? [], annotations: annotationsOf.get(id) ?? [] }, templates);
}

function toView({ feedback, annotations }: Ratings, templates: readonly AnnotationTemplate[]): RatingView {
  const byTemplate = Map.groupBy(annotations, ({ template_id }) => template_id);
  const known = templates.flatMap((template) => {
    const given = byTemplate.get(template.id);
    return given ? [{ template, given }] : [];
  });
  return {
    feedback_rating_info: Object.fromEntries(feedback.map((one) => [one.name, shownFeedback(one)])),
    annotations: Object.fromEntries(known.map(({ template, given }) => [template.id, byAnnotator(template, given)])),
    annotation_aggregates: Object.fromEntries(
      known.map(({ template: { id, annotation_type }, given }) => {
        const values = given.map(({ value }) => value);
        return [id, { aggregate: { [annotation_type]: computeAggregate(annotation_type, values, 0) } }];
      }),
    ),
    annotation_truths: Object.fromEntries(
      known.map(({ template: { id, annotation_type, truth_rule }, given }) => {
        const values = getDecisive(given).map(({ value }) => value);
        return [id, computeTruth(annotation_type, truth_rule, values) ?? null];
      }),
    ),
  };
}

const shownFeedback = ({ feedback_type, value, explanation }: Feedback) => ({ feedback_type, value, explanation });

const byAnnotator = ({ annotation_type }: AnnotationTemplate, given: readonly Annotation[]) =>
  Object.fromEntries(
    given.map(({ annotator_id, value, explanation }) => [annotator_id, { annotation_type, value, explanation }]),
  );
