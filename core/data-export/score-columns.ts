import type { ScoreEffort } from '../plugin-sdk/index.ts';
import type { Score } from '../scores/score.ts';
import type { ExportKey } from './export-key.ts';
import type { ParquetColumn, ParquetRow } from './parquet-file.ts';
import { type ReadColumn, toColumns, toGoneValues, toJson, toNumber } from './read-column.ts';
import { ROW_COLUMNS } from './record-columns.ts';

/** The part of a score that is known in an export of a run, too. */
export type ScoreFacts = Pick<
  Score,
  'project_id' | 'run_id' | 'record_id' | 'metric_name' | 'status_type' | 'value' | 'explanation' | 'message'
> & { readonly effort: Pick<ScoreEffort, 'model' | 'num_judges' | 'agreement' | 'cost'> | null };

const place: readonly ReadColumn<ScoreFacts>[] = [
  { name: 'project_id', type: 'string', description: 'Project of the record.', read: (score) => score.project_id },
  { name: 'run_id', type: 'string', description: 'Run of the record.', read: (score) => score.run_id },
  { name: 'record_id', type: 'string', description: 'Trace, span or session that was judged.', read: (score) => score.record_id },
];

const verdict: readonly ReadColumn<ScoreFacts>[] = [
  { name: 'metric_name', type: 'string', description: "The scorer's name in the run.", read: (score) => score.metric_name },
  {
    name: 'status_type',
    type: 'string',
    description: '`success`, `error`, `failed` or `not_applicable`.',
    read: (score) => score.status_type,
  },
  { name: 'value', type: 'json', description: 'The verdict, as JSON.', read: ({ value }) => toJson(value) },
  {
    name: 'value_number',
    type: 'double',
    description: 'The verdict where it is a number, or yes (1) or no (0).',
    read: ({ value }) => toNumber(value),
  },
  { name: 'explanation', type: 'string', description: 'Why, in words.', read: (score) => score.explanation },
  { name: 'message', type: 'string', description: 'What went wrong.', read: (score) => score.message },
];

const effort: readonly ReadColumn<ScoreFacts>[] = [
  { name: 'model', type: 'string', description: 'Model of a judge.', read: ({ effort }) => effort?.model ?? null },
  { name: 'num_judges', type: 'int32', description: 'How many calls voted.', read: ({ effort }) => effort?.num_judges ?? null },
  {
    name: 'agreement',
    type: 'double',
    description: 'How far several judges agreed, from 0 to 1.',
    read: ({ effort }) => effort?.agreement ?? null,
  },
  { name: 'cost', type: 'double', description: 'Cost of the calls in US dollars.', read: ({ effort }) => effort?.cost ?? null },
];

const scorer: readonly ReadColumn<Score>[] = [
  {
    name: 'scorer_version_id',
    type: 'string',
    description: 'Version of the scorer: each has one score of a record.',
    read: (score) => score.scorer_version_id,
  },
  { name: 'scorer_id', type: 'string', description: 'The scorer.', read: (score) => score.scorer_id },
];

const times: readonly ReadColumn<Score>[] = [
  { name: 'scored_at', type: 'timestamp', description: 'When it was judged.', read: (score) => score.scored_at },
  {
    name: 'times_scored',
    type: 'int32',
    description: 'More than 1: the record had changed, and the verdict was replaced.',
    read: (score) => score.times_scored,
  },
];

const tokens: readonly ReadColumn<Score>[] = [
  {
    name: 'input_tokens',
    type: 'int64',
    description: 'Tokens given to judges.',
    read: ({ effort }) => effort?.input_tokens ?? null,
  },
  {
    name: 'output_tokens',
    type: 'int64',
    description: 'Tokens of their answers.',
    read: ({ effort }) => effort?.output_tokens ?? null,
  },
];

/** Scores of other runs than trials print nothing. */
const fields: readonly ReadColumn<Score>[] = [...place, ...scorer, ...verdict, ...times, ...effort, ...tokens];

/** Type of what was judged or rated. Null in rows that say that something of a trace or a span is gone. */
export const RECORD_TYPE: ParquetColumn = {
  name: 'record_type',
  type: 'string',
  description: '`trace`, `session`, or the type of the span.',
};

/** Columns of files of scores. */
export const SCORE_COLUMNS: readonly ParquetColumn[] = [...ROW_COLUMNS, ...toColumns(fields), RECORD_TYPE];

/** The row of a score without the columns that all rows begin with, and without `record_type`, which files of former versions lack. */
export const toScoreValues = (score: Score): ParquetRow => fields.map(({ read }) => read(score));

/** The row of a score that is gone, likewise. */
export const toGoneScoreValues = (project_id: string, { run_id, record_id }: ExportKey, scorer_version_id: string): ParquetRow =>
  toGoneValues(fields as readonly ParquetColumn[], { project_id, run_id, record_id, scorer_version_id });

/** Columns of scores in a snapshot of one run, made of what the API exports. */
export const RUN_SCORE_COLUMNS: readonly ParquetColumn[] = [
  ...toColumns(place),
  RECORD_TYPE,
  ...toColumns([...verdict, ...effort]),
];

export const toRunScoreRow = (score: ScoreFacts, record_type: string): ParquetRow => [
  ...place.map(({ read }) => read(score)),
  record_type,
  ...[...verdict, ...effort].map(({ read }) => read(score)),
];
