import type { AnnotationTemplate } from './annotation-template.ts';
import type { RatingType, RatingValue } from './rating.ts';

/** A record of a run. */
export interface RecordKey {
  readonly project_id: string;
  readonly run_id: string;
  readonly record_id: string;
}

/** Feedback of an application's users on a record, under a name of the sender's choice: the newest counts. */
export interface Feedback extends RecordKey {
  readonly name: string;
  readonly feedback_type: RatingType;
  readonly value: RatingValue;
  readonly explanation: string | null;
  readonly rated_at: string;
}

/** Answer of an annotator to a template: the newest counts. */
export interface Annotation extends RecordKey {
  readonly template_id: string;
  readonly annotator_id: string;
  readonly value: RatingValue;
  readonly explanation: string | null;
  readonly rated_at: string;
  /** A reviewer's: it counts instead of all other answers. */
  readonly is_decision?: true;
}

export interface Ratings {
  readonly feedback: readonly Feedback[];
  /** By time, of each template. */
  readonly annotations: readonly Annotation[];
}

/**
 * Ratings of traces, spans and sessions: a record id is the id of any of them. They are columns of their records, and what is
 * derived from records follows them: see `RecordIndex`.
 *
 * Ratings go with their record, annotations with their template, templates with their project.
 */
export interface RatingStore {
  /** False when there is no such record. */
  putFeedback(feedback: Feedback): Promise<boolean>;
  removeFeedback(key: RecordKey, name: string): Promise<boolean>;
  /** False when there is no such record or no such template in its project. */
  putAnnotation(annotation: Annotation): Promise<boolean>;
  removeAnnotation(key: RecordKey, template_id: string, annotator_id: string): Promise<boolean>;
  /** Of the given records of a run. */
  list(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Ratings>;

  /** All answers about records of the given runs. */
  listByRuns(project_id: string, run_ids: readonly string[]): Promise<Annotation[]>;

  /** Rejects with AppError `conflict` when the project has a template of this name. */
  insertTemplate(template: AnnotationTemplate): Promise<void>;
  /** By name. */
  listTemplates(project_id: string): Promise<AnnotationTemplate[]>;
  findTemplate(project_id: string, id: string): Promise<AnnotationTemplate | undefined>;
  /** Undefined when there is none. Rejects as `insertTemplate` does. */
  updateTemplate(
    project_id: string,
    id: string,
    changes: Partial<Pick<AnnotationTemplate, 'name' | 'instructions' | 'choices' | 'truth_rule' | 'updated_at'>>,
  ): Promise<AnnotationTemplate | undefined>;
  removeTemplate(project_id: string, id: string): Promise<boolean>;
}
