import type { Score } from '../scores/score.ts';
import type { ExportKey } from './data-export-store.ts';
import type { ParquetColumn, ParquetRow } from './parquet-file.ts';
import { ROW_COLUMNS } from './record-columns.ts';

interface ScoreColumn extends ParquetColumn {
  read(score: Score): ParquetRow[number];
}

/** Scores of other runs than trials print nothing. */
const fields: readonly ScoreColumn[] = [
  { name: 'project_id', type: 'string', description: 'Project of the record.', read: (score) => score.project_id },
  { name: 'run_id', type: 'string', description: 'Run of the record.', read: (score) => score.run_id },
  { name: 'record_id', type: 'string', description: 'Trace or span that was judged.', read: (score) => score.record_id },
  {
    name: 'scorer_version_id',
    type: 'string',
    description: 'Version of the scorer: each has one score of a record.',
    read: (score) => score.scorer_version_id,
  },
  { name: 'scorer_id', type: 'string', description: 'The scorer.', read: (score) => score.scorer_id },
  { name: 'metric_name', type: 'string', description: "The scorer's name in the run.", read: (score) => score.metric_name },
  {
    name: 'status_type',
    type: 'string',
    description: '`success`, `error`, `failed` or `not_applicable`.',
    read: (score) => score.status_type,
  },
  {
    name: 'value',
    type: 'json',
    description: 'The verdict, as JSON.',
    read: ({ value }) => (value === null ? null : JSON.stringify(value)),
  },
  {
    name: 'value_number',
    type: 'double',
    description: 'The verdict where it is a number, or yes (1) or no (0).',
    read: ({ value }) => (typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null),
  },
  { name: 'explanation', type: 'string', description: 'Why, in words.', read: (score) => score.explanation },
  { name: 'message', type: 'string', description: 'What went wrong.', read: (score) => score.message },
  { name: 'scored_at', type: 'timestamp', description: 'When it was judged.', read: (score) => score.scored_at },
  {
    name: 'times_scored',
    type: 'int32',
    description: 'More than 1: the record had changed, and the verdict was replaced.',
    read: (score) => score.times_scored,
  },
  { name: 'model', type: 'string', description: 'Model of a judge.', read: ({ effort }) => effort?.model ?? null },
  { name: 'num_judges', type: 'int32', description: 'How many calls voted.', read: ({ effort }) => effort?.num_judges ?? null },
  {
    name: 'agreement',
    type: 'double',
    description: 'How far several judges agreed, from 0 to 1.',
    read: ({ effort }) => effort?.agreement ?? null,
  },
  { name: 'cost', type: 'double', description: 'Cost of the calls in US dollars.', read: ({ effort }) => effort?.cost ?? null },
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

/** Columns of files of scores. */
export const SCORE_COLUMNS: readonly ParquetColumn[] = [
  ...ROW_COLUMNS,
  ...fields.map(({ name, type, description }) => ({ name, type, description })),
];

/** The row of a score without the columns that all rows begin with. */
export const toScoreValues = (score: Score): ParquetRow => fields.map(({ read }) => read(score));

/** The row of a score that is gone, likewise. */
export function toGoneScoreValues(project_id: string, { run_id, record_id }: ExportKey, scorer_version_id: string): ParquetRow {
  const known: Readonly<Record<string, string>> = { project_id, run_id, record_id, scorer_version_id };
  return fields.map(({ name }) => known[name] ?? null);
}
