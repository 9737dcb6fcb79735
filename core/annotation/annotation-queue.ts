import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { withDefault } from '../kernel/optional.ts';
import { cleanText, Id, Name } from '../kernel/text.ts';
import { runIdFields } from '../projects/run-ids.ts';
import { AnnotationTemplate } from '../ratings/annotation-template.ts';
import { Explanation, RatingValue } from '../ratings/rating.ts';
import { FilterTree, RecordFilter } from '../traces/record-query.ts';

const MAX_RECORDS = 10_000;
const MAX_PEOPLE = 100;
const MAX_ANSWERS = 20;
const RESERVATION_SECONDS = 1800;

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

const people = z.array(Id).max(MAX_PEOPLE);
const reservationSeconds = z.int().min(10).max(86_400).describe('How long an annotator has for a record.');
const OrderBy = z
  .enum(['added', 'oldest', 'newest', 'judge_disagreement'])
  .describe(
    'Which record comes next: by the order in which they were added, by the time of the records, or those first over which the judges of the scorer of `judge_disagreement` disagreed most.',
  );
/** Brings records in by themselves. */
const JudgeDisagreement = z
  .object({
    scorer_id: Id,
    above: z
      .number()
      .min(0)
      .max(1)
      .describe('A record comes in when 1 less the agreement of its score is more than this: with 1 none does.'),
  })
  .meta({ id: 'JudgeDisagreement' });
const ReviewRule = z
  .enum(['none', 'disagreement', 'all'])
  .describe('Which records a reviewer decides once they have their answers; free texts never disagree.');

/** Without `record_ids` and filters the queue begins with the newest records, or with those of `judge_disagreement` where it has that. */
export const NewAnnotationQueue = z
  .object({
    ...runIdFields,
    name: Name,
    template_ids: z.array(Id).min(1).max(50),
    ...chosen,
    /** Empty: all who may annotate. */
    assignee_ids: withDefault(people, []),
    /** Empty: all who may configure feedback. Nobody reviews a record that they answered. */
    reviewer_ids: withDefault(people, []),
    answers_required: withDefault(z.int().min(1).max(MAX_ANSWERS), 1),
    review: withDefault(ReviewRule, 'none'),
    order_by: withDefault(OrderBy, 'added'),
    judge_disagreement: JudgeDisagreement.nullish(),
    reservation_seconds: withDefault(reservationSeconds, RESERVATION_SECONDS),
  })
  .meta({ id: 'NewAnnotationQueue' });
export type NewAnnotationQueue = z.output<typeof NewAnnotationQueue>;

/** How many answers a record needs, and who decides, is fixed: records that are done would not be any more. */
export const AnnotationQueueUpdate = z
  .object({
    name: Name.nullish(),
    assignee_ids: people.nullish(),
    reviewer_ids: people.nullish(),
    order_by: OrderBy.nullish(),
    judge_disagreement: JudgeDisagreement.nullish(),
    reservation_seconds: reservationSeconds.nullish(),
  })
  .meta({ id: 'AnnotationQueueUpdate' });
export type AnnotationQueueUpdate = z.output<typeof AnnotationQueueUpdate>;

export const AnnotationQueue = z
  .object({
    id: z.string(),
    project_id: z.string(),
    run_id: z.string(),
    name: z.string(),
    template_ids: z.array(z.string()),
    assignee_ids: z.array(z.string()),
    reviewer_ids: z.array(z.string()),
    answers_required: z.int(),
    review: ReviewRule,
    order_by: OrderBy,
    judge_disagreement: z
      .object({ scorer_id: z.string(), above: z.number() })
      .nullable()
      .describe('Records over which the judges of a scorer disagree come in.'),
    reservation_seconds: z.int(),
    created_by: z.string().nullable(),
    created_at: z.string(),
    num_pending: z.int(),
    num_in_review: z.int().describe('Records that have their answers and wait for a reviewer.'),
    num_done: z.int(),
    num_skipped: z.int(),
  })
  .meta({ id: 'AnnotationQueue' });
export type AnnotationQueue = z.output<typeof AnnotationQueue>;

/** A queue as stored, without its counts. */
export type StoredQueue = Omit<AnnotationQueue, 'num_pending' | 'num_in_review' | 'num_done' | 'num_skipped'>;

/** The settings of a queue where nobody chose others. */
export const QUEUE_DEFAULTS = {
  assignee_ids: [],
  reviewer_ids: [],
  answers_required: 1,
  review: 'none',
  order_by: 'added',
  judge_disagreement: null,
  reservation_seconds: RESERVATION_SECONDS,
} as const satisfies Partial<StoredQueue>;

/** The next record for an annotator; null when there is none for now. */
export const AnnotationTask = z
  .object({
    record: z.looseObject({ id: z.string() }).nullable(),
    reserved_until: z.string().nullable().describe('Until then nobody else gets the record in place of the caller.'),
    templates: z.array(AnnotationTemplate),
  })
  .meta({ id: 'AnnotationTask' });

export const AnnotationAnswers = z
  .object({
    answers: withDefault(
      z.array(z.object({ template_id: Id, value: RatingValue, explanation: Explanation.nullish() })).max(50),
      [],
    ),
    /** The record goes unanswered. */
    skip: withDefault(z.boolean(), false),
    /** Why it is skipped. */
    skip_reason: cleanText(1, 1000).nullish(),
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
