import type { RatingType, RatingValue } from '../ratings/rating.ts';
import type { ExportKey } from './export-key.ts';
import type { ParquetColumn, ParquetRow } from './parquet-file.ts';
import { type ReadColumn, toColumns, toGoneValues, toJson, toNumber } from './read-column.ts';
import { ROW_COLUMNS } from './record-columns.ts';
import { RECORD_TYPE } from './score-columns.ts';

/** A rating of a trace, a span or a session, as an export of a run has it. */
export interface RatingFacts extends ExportKey {
  readonly project_id: string;
  readonly source: 'feedback' | 'annotation';
  /** Name of the feedback, or id of the annotation template. */
  readonly name: string;
  readonly annotator_id: string | null;
  readonly rating_type: RatingType;
  readonly value: RatingValue;
  readonly explanation: string | null;
}

/** A rating as it is stored. */
export interface ExportedRating extends RatingFacts {
  readonly rated_at: string;
  /** Whether it is a reviewer's, which counts instead of all other answers. */
  readonly is_decision: boolean;
}

type TypedRating = RatingFacts & { readonly record_type: string };

const facts: readonly ReadColumn<TypedRating>[] = [
  { name: 'project_id', type: 'string', description: 'Project of the record.', read: (rating) => rating.project_id },
  { name: 'run_id', type: 'string', description: 'Run of the record.', read: (rating) => rating.run_id },
  {
    name: 'record_id',
    type: 'string',
    description: 'Trace, span or session that was rated.',
    read: (rating) => rating.record_id,
  },
  { ...RECORD_TYPE, read: (rating) => rating.record_type },
  { name: 'source', type: 'string', description: '`feedback` of users, or `annotation`.', read: (rating) => rating.source },
  {
    name: 'name',
    type: 'string',
    description: 'Name of the feedback, or id of the annotation template.',
    read: (rating) => rating.name,
  },
  {
    name: 'annotator_id',
    type: 'string',
    description: 'Who annotated; null of feedback.',
    read: (rating) => rating.annotator_id,
  },
  {
    name: 'rating_type',
    type: 'string',
    description: '`like_dislike`, `star`, `score`, `tags` or `text`.',
    read: (rating) => rating.rating_type,
  },
  { name: 'value', type: 'json', description: 'The rating, as JSON.', read: ({ value }) => toJson(value) },
  {
    name: 'value_number',
    type: 'double',
    description: 'The rating where it is a number, or yes (1) or no (0).',
    read: ({ value }) => toNumber(value),
  },
  { name: 'explanation', type: 'string', description: 'Why, in words.', read: (rating) => rating.explanation },
];

const kept: readonly ReadColumn<ExportedRating>[] = [
  { name: 'rated_at', type: 'timestamp', description: 'When it was given.', read: (rating) => rating.rated_at },
  {
    name: 'is_decision',
    type: 'boolean',
    description: "Whether it is a reviewer's annotation, which counts instead of all others.",
    read: (rating) => rating.is_decision,
  },
];

/** Columns of ratings in a snapshot of one run, made of what the API exports. */
export const RUN_RATING_COLUMNS: readonly ParquetColumn[] = toColumns(facts);

export const toRunRatingRow = (rating: TypedRating): ParquetRow => facts.map(({ read }) => read(rating));

/** Columns of files of ratings. */
export const RATING_COLUMNS: readonly ParquetColumn[] = [...ROW_COLUMNS, ...toColumns([...facts, ...kept])];

/** The row of a rating without the columns that all rows begin with. */
export const toRatingValues = (rating: ExportedRating & TypedRating): ParquetRow => [
  ...facts.map(({ read }) => read(rating)),
  ...kept.map(({ read }) => read(rating)),
];

/** Tells the ratings of a record apart. */
export const toRatingKey = ({ source, name, annotator_id }: RatingFacts): string => JSON.stringify([source, name, annotator_id]);

/** The row of a rating that is gone, likewise. */
export function toGoneRatingValues(project_id: string, { run_id, record_id }: ExportKey, key: string): ParquetRow {
  const [source, name, annotator_id] = JSON.parse(key) as [string, string, string | null];
  const columns: readonly ParquetColumn[] = [...facts, ...kept] as readonly ParquetColumn[];
  return toGoneValues(columns, { project_id, run_id, record_id, source, name, annotator_id });
}
