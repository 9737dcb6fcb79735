import type { JsonValue } from '../../../core/kernel/json.ts';
import { findFirst, toJsonText } from '../../../core/plugin-sdk/otel/index.ts';
import { toSpanId, toTraceId } from '../record-ids.ts';
import type { Imported, ImportedScore, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** Sources that are programs; the app and the API speak for people. */
const PROGRAMS = new Set(['model', 'auto_eval']);
const FOREIGN = [
  ...['id', 'created_at', 'session_id', 'start_time', 'comparative_experiment_id', 'feedback_group_id', 'feedback_config'],
  ...['tenant_id', 'is_root', 'trace_tier', 'last_queued_at', 'extra', 'error'],
];

/** Feedback on a run; on the root of a trace it is feedback on the trace. */
export function toFeedback(row: SourceRow, { leaveOut }: RowContext): readonly Imported[] | undefined {
  const name = row.text('key');
  const [score, given] = [row.value('score'), row.structured('value')];
  const value = toValue(score, given);
  if (name === undefined) return undefined;
  const [run, trace] = [row.text('run_id'), row.text('trace_id')];
  const comment = row.text('comment');
  if (run === undefined || (value === undefined && comment === undefined)) {
    leaveOut(run === undefined ? 'feedback on a project or an experiment' : 'feedback without a score, a value and a comment');
    return [];
  }
  if (row.value('correction') !== undefined) leaveOut('correction of feedback');
  const source = row.object('feedback_source');
  const by = PROGRAMS.has(String(findFirst(source, 'type'))) ? 'program' : 'person';
  const at = row.text('modified_at', 'created_at');
  row.skip(...FOREIGN);
  for (const field of row.unread()) leaveOut(`${field} of feedback`);
  const place: Partial<ImportedScore> =
    trace === undefined
      ? { source_span: run }
      : { trace_id: toTraceId('langsmith', trace), ...(run !== trace && { span_id: toSpanId('langsmith', run) }) };
  const label = score === undefined || given === undefined ? undefined : toJsonText(given);
  // A comment alone is what somebody said.
  return [
    {
      kind: 'score',
      ...place,
      name,
      value: value ?? comment!,
      explanation: value === undefined ? undefined : comment,
      label,
      by,
      at,
    },
  ];
}

function toValue(score: JsonValue | undefined, value: JsonValue | undefined): ImportedScore['value'] | undefined {
  for (const one of [score, value]) {
    if (typeof one === 'number' || typeof one === 'boolean') return one;
    if (typeof one === 'string') return one !== '' && Number.isFinite(Number(one)) ? Number(one) : one;
    if (one !== undefined && one !== null) return toJsonText(one);
  }
  return undefined;
}
