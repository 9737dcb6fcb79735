import type { ParquetColumn, ParquetRow } from '../../core/data-export/parquet-file.ts';
import { toRecordValues } from '../../core/data-export/record-columns.ts';
import { OWN_FIELD_NAMES } from '../../core/traces/catalogue/record-fields.ts';
import type { LogRecord } from '../../core/traces/record.ts';

type Value = ParquetRow[number];
type Json = Readonly<Record<string, unknown>>;

/** A record or a session as an export of a run has it: the fields of its type beside the others. */
export interface ExportedLine {
  readonly id: string;
  readonly project_id: string;
  readonly run_id: string;
  readonly type: string;
  readonly created_at: string;
  readonly metric_info: Readonly<Record<string, Json>>;
  readonly feedback_rating_info: Readonly<Record<string, Json>>;
  /** By template and annotator. */
  readonly annotations: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

/** No verdict on the record: it is still to come, or was computed of what lies below. */
const NO_VERDICT = new Set(['pending', 'computing', 'roll_up']);
/** Of a snapshot each record has one version. */
const WHOLE: ParquetRow = [1, false];

export function toRecordRow(line: ExportedLine): ParquetRow {
  const fields = line as unknown as Json;
  const attributes = Object.fromEntries(OWN_FIELD_NAMES.flatMap((name) => (fields[name] == null ? [] : [[name, fields[name]]])));
  return [...WHOLE, ...toRecordValues({ ...fields, attributes } as unknown as LogRecord)];
}

const PLACE: readonly ParquetColumn[] = [
  { name: 'project_id', type: 'string', description: 'Project of the record.' },
  { name: 'run_id', type: 'string', description: 'Run of the record.' },
  { name: 'record_id', type: 'string', description: 'Trace, span or session.' },
  { name: 'record_type', type: 'string', description: '`trace`, `session`, or the type of the span.' },
];
const toPlace = ({ project_id, run_id, id, type }: ExportedLine): ParquetRow => [project_id, run_id, id, type];

/** Columns of scores in a snapshot of a run. */
export const RUN_SCORE_COLUMNS: readonly ParquetColumn[] = [
  ...PLACE,
  { name: 'metric_name', type: 'string', description: "The scorer's name in the run." },
  { name: 'status_type', type: 'string', description: '`success`, `error`, `failed` or `not_applicable`.' },
  { name: 'value', type: 'json', description: 'The verdict, as JSON.' },
  { name: 'value_number', type: 'double', description: 'The verdict where it is a number, or yes (1) or no (0).' },
  { name: 'explanation', type: 'string', description: 'Why, in words.' },
  { name: 'message', type: 'string', description: 'What went wrong.' },
  { name: 'model', type: 'string', description: 'Model of a judge.' },
  { name: 'num_judges', type: 'int32', description: 'How many calls voted.' },
  { name: 'agreement', type: 'double', description: 'How far several judges agreed, from 0 to 1.' },
  { name: 'cost', type: 'double', description: 'Cost of the calls in US dollars.' },
];

export function toScoreRows(line: ExportedLine): ParquetRow[] {
  return Object.entries(line.metric_info)
    .filter(([, { status_type }]) => !NO_VERDICT.has(String(status_type)))
    .map(([name, score]) => [
      ...toPlace(line),
      name,
      toText(score.status_type),
      ...toValues(score.value),
      toText(score.explanation),
      toText(score.message),
      toText(score.model_alias),
      ...[score.num_judges, score.agreement, score.cost].map(toNumber),
    ]);
}

/** Columns of ratings in a snapshot of a run. */
export const RATING_COLUMNS: readonly ParquetColumn[] = [
  ...PLACE,
  { name: 'source', type: 'string', description: '`feedback` of users, or `annotation`.' },
  { name: 'name', type: 'string', description: 'Name of the feedback, or id of the annotation template.' },
  { name: 'annotator_id', type: 'string', description: 'Who annotated; null of feedback.' },
  { name: 'rating_type', type: 'string', description: '`like_dislike`, `star`, `score`, `tags` or `text`.' },
  { name: 'value', type: 'json', description: 'The rating, as JSON.' },
  { name: 'value_number', type: 'double', description: 'The rating where it is a number, or yes (1) or no (0).' },
  { name: 'explanation', type: 'string', description: 'Why, in words.' },
];

export function toRatingRows(line: ExportedLine): ParquetRow[] {
  const place = toPlace(line);
  const feedback = Object.entries(line.feedback_rating_info).map(([name, { feedback_type, ...given }]) => [
    ...[...place, 'feedback', name, null, toText(feedback_type)],
    ...[...toValues(given.value), toText(given.explanation)],
  ]);
  const annotations = Object.entries(line.annotations).flatMap(([template, byAnnotator]) =>
    Object.entries(byAnnotator).map(([annotator, { annotation_type, ...given }]) => [
      ...[...place, 'annotation', template, annotator, toText(annotation_type)],
      ...[...toValues(given.value), toText(given.explanation)],
    ]),
  );
  return [...feedback, ...annotations];
}

const toText = (value: unknown): Value => (typeof value === 'string' ? value : null);
const toNumber = (value: unknown): Value => (typeof value === 'number' ? value : null);

/** A verdict as JSON, and as a number where it is one. */
const toValues = (value: unknown): ParquetRow => [
  value === null || value === undefined ? null : JSON.stringify(value),
  typeof value === 'boolean' ? Number(value) : toNumber(value),
];
