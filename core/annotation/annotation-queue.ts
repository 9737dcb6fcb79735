import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { withDefault } from '../kernel/optional.ts';
import { Id, Name } from '../kernel/text.ts';
import { runIdFields } from '../projects/run-ids.ts';
import { AnnotationTemplate } from '../ratings/annotation-template.ts';
import { Explanation, RatingValue } from '../ratings/rating.ts';
import { FilterTree, RecordFilter } from '../traces/record-query.ts';

const MAX_RECORDS = 10_000;

/** Records to be looked at: those that are named, or the newest that pass the filters. */
const chosen = {
  record_ids: z.array(Id).max(MAX_RECORDS).nullish(),
  record_type: withDefault(z.enum(['trace', 'span']), 'trace'),
  filters: withDefault(z.array(RecordFilter).max(1000), []),
  filter_tree: FilterTree.nullish(),
  max_records: withDefault(z.int().min(1).max(MAX_RECORDS), 100),
};

export const ChosenRecords = z.object(chosen).meta({ id: 'ChosenRecords' });
export type ChosenRecords = z.output<typeof ChosenRecords>;

/** Without `record_ids` and filters the queue begins with the newest records. */
export const NewAnnotationQueue = z
  .object({ ...runIdFields, name: Name, template_ids: z.array(Id).min(1).max(50), ...chosen })
  .meta({ id: 'NewAnnotationQueue' });
export type NewAnnotationQueue = z.output<typeof NewAnnotationQueue>;

export const AnnotationQueue = z
  .object({
    id: z.string(),
    project_id: z.string(),
    run_id: z.string(),
    name: z.string(),
    template_ids: z.array(z.string()),
    created_by: z.string().nullable(),
    created_at: z.string(),
    num_pending: z.int(),
    num_done: z.int(),
    num_skipped: z.int(),
  })
  .meta({ id: 'AnnotationQueue' });
export type AnnotationQueue = z.output<typeof AnnotationQueue>;

/** A queue as stored, without its counts. */
export type StoredQueue = Omit<AnnotationQueue, 'num_pending' | 'num_done' | 'num_skipped'>;

/** The next record for an annotator; null when there is none for now. */
export const AnnotationTask = z
  .object({ record: z.looseObject({ id: z.string() }).nullable(), templates: z.array(AnnotationTemplate) })
  .meta({ id: 'AnnotationTask' });

export const AnnotationAnswers = z
  .object({
    answers: withDefault(
      z.array(z.object({ template_id: Id, value: RatingValue, explanation: Explanation.nullish() })).max(50),
      [],
    ),
    /** The record goes unanswered. */
    skip: withDefault(z.boolean(), false),
  })
  .meta({ id: 'AnnotationAnswers' });
export type AnnotationAnswers = z.output<typeof AnnotationAnswers>;

/** Rows for a dataset: the records that are done, with what their annotators agreed on in `column_name`. */
export const TruthExport = z
  .object({ dataset_id: Id, template_id: Id, column_name: withDefault(Name, 'mgt') })
  .meta({ id: 'AnnotationTruthExport' });
export type TruthExport = z.output<typeof TruthExport>;

export const TruthExported = z
  .object({ dataset_id: z.string(), version_index: z.int().nullable(), rows_added: z.int(), records_without_answer: z.int() })
  .meta({ id: 'AnnotationTruthExported' });

export const queueNotFound = (id: string): AppError =>
  new AppError('not_found', 'annotation_queue_not_found', `annotation queue ${id} does not exist`);
