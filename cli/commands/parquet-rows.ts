import type { ParquetRow } from '../../core/data-export/parquet-file.ts';
import { toRunRatingRow } from '../../core/data-export/rating-columns.ts';
import { toRecordValues } from '../../core/data-export/record-columns.ts';
import { type ScoreFacts, toRunScoreRow } from '../../core/data-export/score-columns.ts';
import { OWN_FIELD_NAMES } from '../../core/traces/catalogue/record-fields.ts';
import type { LogRecord } from '../../core/traces/record.ts';

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

export const toScoreRows = (line: ExportedLine): ParquetRow[] =>
  Object.entries(line.metric_info)
    .filter(([, { status_type }]) => !NO_VERDICT.has(String(status_type)))
    .map(([metric_name, { model_alias, num_judges, agreement, cost, ...score }]) => {
      const effort = { model: model_alias, num_judges, agreement, cost };
      return toRunScoreRow({ ...NO_WORDS, ...score, ...toPlace(line), metric_name, effort } as unknown as ScoreFacts, line.type);
    });

export function toRatingRows(line: ExportedLine): ParquetRow[] {
  const place = { ...toPlace(line), record_type: line.type };
  const feedback = Object.entries(line.feedback_rating_info).map(([name, { feedback_type: rating_type, ...given }]) => ({
    ...{ ...place, ...given, source: 'feedback', name, annotator_id: null, rating_type },
  }));
  const annotations = Object.entries(line.annotations).flatMap(([name, byAnnotator]) =>
    Object.entries(byAnnotator).map(([annotator_id, { annotation_type: rating_type, ...given }]) => ({
      ...{ ...place, ...given, source: 'annotation', name, annotator_id, rating_type },
    })),
  );
  return [...feedback, ...annotations].map((rating) => toRunRatingRow(rating as unknown as Parameters<typeof toRunRatingRow>[0]));
}

/** Scores that went wrong have no verdict, and others no message. */
const NO_WORDS = { value: null, explanation: null, message: null } as const;

const toPlace = ({ project_id, run_id, id }: ExportedLine) => ({ project_id, run_id, record_id: id });
