import type { JsonValue } from '../../../core/kernel/json.ts';
import { findFirst, toJsonText } from '../../../core/plugin-sdk/otel/index.ts';
import type { ImportedScore, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';
import { toMlflowSpan, toMlflowTrace } from './ids.ts';

const FOREIGN = [
  'assessment_id',
  'metadata',
  'create_time',
  'create_time_ms',
  'run_id',
  'overrides',
  'valid',
  'trace_location',
  'assessment_type',
];

/** Feedback on a trace or a span. An expectation is what should have come, and is kept as what a person said. */
export function toAssessment(row: SourceRow, { leaveOut }: RowContext, trace?: string): readonly ImportedScore[] | undefined {
  const name = row.text('assessment_name', 'name');
  const trace_id = row.text('trace_id', 'request_id');
  if (name === undefined || (trace === undefined && trace_id === undefined)) return undefined;
  const [feedback, expectation] = [row.object('feedback'), row.object('expectation')];
  const serialized = findFirst(findFirst(expectation, 'serialized_value'), 'value');
  const value = toValue(findFirst(feedback, 'value') ?? findFirst(expectation, 'value') ?? serialized);
  const error = row.object('error') ?? findFirst(feedback, 'error');
  if (value === undefined) {
    leaveOut(error === undefined ? 'an assessment without a value' : 'an assessment that failed');
    return [];
  }
  if (row.flag('valid') === false) {
    leaveOut('an assessment that another one took the place of');
    return [];
  }
  const span = row.text('span_id');
  const source = String(findFirst(row.object('source'), 'source_type') ?? '').toUpperCase();
  const at = row.text('last_update_time', 'last_update_time_ms', 'create_time', 'create_time_ms');
  const explanation = row.text('rationale');
  row.skip(...FOREIGN);
  for (const field of row.unread()) leaveOut(`${field} of an assessment`);
  const by = source === 'HUMAN' || expectation !== undefined ? 'person' : 'program';
  const place = { trace_id: trace ?? toMlflowTrace(trace_id!), ...(span !== undefined && { span_id: toMlflowSpan(span) }) };
  return [{ kind: 'score', ...place, name: expectation === undefined ? name : `expected ${name}`, value, explanation, by, at }];
}

function toValue(value: JsonValue | undefined): ImportedScore['value'] | undefined {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== ''))
    return value as string[];
  return value === undefined || value === null ? undefined : toJsonText(value);
}
