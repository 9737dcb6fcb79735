import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Explain } from '../../kernel/explain.ts';
import { UP_TO_FIRST_ISSUE } from '../../kernel/first-issue.ts';
import { findNonFinite, type JsonValue } from '../../kernel/json.ts';
import { findJsonExcess, JSON_OF_RECORDS, type JsonBounds } from '../../kernel/json-scan.ts';
import { type PayloadForm, recordType } from '../catalogue/span-types.ts';
import type { LogRecord } from '../record.ts';
import { checkPayload, nonFiniteIssue } from './flatten.ts';
import type { SpanUpdate, TraceUpdate } from './ingest-schema.ts';
import { toPayloads } from './payload.ts';

const MAX_TAGS = 50;
/** Forms of a payload that clients send as JSON text when they change it. */
const STRUCTURED: readonly PayloadForm[] = ['messages', 'message', 'documents'];
/** Of JSON inside a text, which the edge has not looked into. */
const JSON_IN_TEXT: JsonBounds = { ...JSON_OF_RECORDS, maxDepth: 100 };

/** A trace after a PATCH: absent and null leave as is, tags are added, completion is never taken back. */
export function changedTrace(
  trace: LogRecord,
  { input, output, status_code, tags, is_complete, duration_ns }: TraceUpdate,
  explain: Explain,
): LogRecord {
  if (trace.type !== 'trace') throw new AppError('not_found', 'trace_not_found', `trace ${trace.id} does not exist`);
  return {
    ...trace,
    input: changedPayload(trace, 'input', input as JsonValue | undefined, explain) ?? trace.input,
    output: changedPayload(trace, 'output', output as JsonValue | undefined, explain) ?? trace.output,
    status_code: status_code ?? trace.status_code,
    tags: joined(trace.tags, tags),
    is_complete: trace.is_complete || (is_complete ?? false),
    metrics: timed(trace, duration_ns),
  };
}

/**
 * A span after a PATCH. Clients send messages and documents as JSON text here, so such a text is read when the span's
 * type asks for more than a text.
 */
export function changedSpan(
  span: LogRecord,
  { input, output, status_code, tags, duration_ns }: SpanUpdate,
  explain: Explain,
): LogRecord {
  if (span.type === 'trace') throw new AppError('not_found', 'span_not_found', `span ${span.id} does not exist`);
  return {
    ...span,
    input: changedPayload(span, 'input', input as JsonValue | undefined, explain) ?? span.input,
    output: changedPayload(span, 'output', output as JsonValue | undefined, explain) ?? span.output,
    status_code: status_code ?? span.status_code,
    tags: joined(span.tags, tags),
    metrics: timed(span, duration_ns),
  };
}

function changedPayload(
  { type }: LogRecord,
  side: 'input' | 'output',
  value: JsonValue | undefined,
  explain: Explain,
): JsonValue {
  if (value === undefined || value === null) return null;
  const schema = compiledPayload(type, side);
  const structured = typeof value === 'string' && STRUCTURED.includes(recordType(type)[side]) ? jsonIn(value) : undefined;
  if (structured !== undefined && schema.safeParse(structured, UP_TO_FIRST_ISSUE).success)
    return checkPayload(type, side, structured);
  const nonFinite = nonFiniteIssue(value, ['body', side]);
  if (!nonFinite && schema.safeParse(value, UP_TO_FIRST_ISSUE).success) return checkPayload(type, side, value);
  const issues = nonFinite ? [nonFinite] : explain(toPayloads(type)[side], value, ['body', side]);
  throw new AppError('invalid', 'payload_mismatch', `a ${type === 'trace' ? type : `${type} span`} takes no such ${side}`, {
    issues,
  });
}

const encoder = new TextEncoder();
const compiledPayloads = new Map<string, z.ZodType>();

/** A payload may be a hundred thousand messages, which a schema checks ten times faster compiled. */
function compiledPayload(type: LogRecord['type'], side: 'input' | 'output'): z.ZodType {
  const key = `${type} ${side}`;
  const schema = compiledPayloads.get(key) ?? z.compile(toPayloads(type)[side]);
  compiledPayloads.set(key, schema);
  return schema;
}

/** Parses JSON text whose value can be kept exactly; undefined for any other text. */
function jsonIn(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  if (findJsonExcess(encoder.encode(text), JSON_IN_TEXT)) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return findNonFinite(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function joined(tags: readonly string[], more: readonly string[] | null | undefined): readonly string[] {
  const all = [...new Set([...tags, ...(more ?? [])])];
  if (all.length <= MAX_TAGS) return all;
  const msg = `a record has at most ${MAX_TAGS} tags`;
  throw new AppError('invalid', 'too_many_tags', msg, { issues: [{ loc: ['body', 'tags'], msg, type: 'too_many_tags' }] });
}

const timed = ({ metrics }: LogRecord, duration_ns: number | null | undefined): LogRecord['metrics'] =>
  typeof duration_ns === 'number' ? { ...metrics, duration_ns } : metrics;
