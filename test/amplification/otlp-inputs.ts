import type { JsonValue } from '../../core/kernel/json.ts';
import { OTLP_LIMITS } from '../../core/otel/otlp-codec.ts';
import { type RequestJson, toRequest } from '../fixtures/otel/otlp-bodies.ts';
import type { LogJson } from '../fixtures/otel/otlp-log-bodies.ts';
import type { ShortSpan } from '../fixtures/otel/short-form.ts';

/** Requests of exporters, each as large as it may be in one way; made when their turn comes. */
export type OtlpInputs<Request> = Readonly<Record<string, () => Request>>;

const TEXT_LENGTH = 1_000_000;
/** Size of one attribute in JSON, with its place in the list. */
const ATTRIBUTE_BYTES = 56;
const EVENT_BYTES = 48;
const LINK_BYTES = 110;
/** Deeper than anything is kept. */
const LEVELS = 500;
const LEVEL_BYTES = 26;
/** Spans that one after the other wraps. */
const CHAIN_LENGTH = OTLP_LIMITS.maxSpans;

export const A_STREAM_EACH = 'a log stream for each span';

type Attributes = NonNullable<ShortSpan['attributes']>;

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, at) => make(at));
const idOf = (at: number): string => (at + 1).toString(16).padStart(16, '0');
const traceOf = (at: number): string => (at + 1).toString(16).padStart(32, '0');
const spanOf = (at: number, attributes: Attributes = {}): ShortSpan => ({ spanId: idOf(at), name: 'step', attributes });
const callOf = (at: number): ShortSpan =>
  spanOf(at, { 'openinference.span.kind': 'LLM', 'input.value': 'x', 'llm.token_count.prompt': 1 });
const names = (count: number, prefix: string): Attributes => Object.fromEntries(times(count, (at) => [`${prefix} ${at}`, 'x']));
const nested = (depth: number): JsonValue => {
  let value: JsonValue = 'x';
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Of the trace endpoint. `bytes` that a request may have, `share` of the other bounds. */
export function spanInputs(bytes: number, share: number): OtlpInputs<RequestJson> {
  const most = OTLP_LIMITS.maxSpans * share;
  const spans = (count: number, make: (at: number) => ShortSpan): RequestJson => toRequest({ spans: times(count, make) });
  /** Spans with `count` attributes, as many as fit. */
  const filled = (count: number, make: (span: number) => Attributes): RequestJson =>
    spans(Math.min(most, bytes / ATTRIBUTE_BYTES / count), (at) => spanOf(at, make(at)));
  const chained = (length: number, parentOf: (at: number) => number): RequestJson =>
    spans(length, (at) => ({ ...callOf(at), parentSpanId: idOf(parentOf(at)) }));
  const inText = (text: string, key: string): RequestJson =>
    spans(bytes / (text.length * 1.1), (at) => spanOf(at, { 'gen_ai.operation.name': 'chat', [key]: text }));
  const attributes = Math.min(OTLP_LIMITS.maxAttributes, bytes / ATTRIBUTE_BYTES);
  const textLength = Math.min(TEXT_LENGTH, bytes / 2);
  return {
    'as many spans as may be': () => spans(most, callOf),
    'more spans than may be': () => spans(OTLP_LIMITS.maxSpans + 1, (at) => spanOf(at, { 'input.value': 'x' })),
    'the longest texts': () => spans(bytes / textLength, (at) => spanOf(at, { 'input.value': 'x'.repeat(textLength) })),
    'one longest text': () => spans(1, (at) => spanOf(at, { 'input.value': 'x'.repeat(bytes) })),
    'the longest names': () => spans(bytes / textLength, (at) => ({ ...spanOf(at), name: 'x'.repeat(textLength) })),
    'the longest messages of a status': () =>
      spans(bytes / textLength, (at) => ({ ...spanOf(at), status: { code: 2, message: '\u0000'.repeat(textLength / 6) } })),
    'the most attributes': () => filled(attributes, (at) => names(attributes, `key ${at}`)),
    'the most attributes that are alike': () => filled(attributes, () => names(attributes, 'key')),
    'far more attributes than are kept': () => filled(bytes / ATTRIBUTE_BYTES, () => names(bytes / ATTRIBUTE_BYTES, 'key')),
    'the most indexed messages': () =>
      filled(attributes, () =>
        Object.fromEntries(times(attributes, (at) => [`llm.input_messages.${at * 1_000}.message.content`, 'x'])),
      ),
    'the longest list': () => spans(1, () => spanOf(0, { 'input.value': times(bytes / '{"intValue":"1"},'.length, () => 1) })),
    'the deepest values': () => {
      const value = nested(LEVELS);
      return spans(Math.min(most, bytes / (LEVELS * LEVEL_BYTES) / 10), (at) =>
        spanOf(at, Object.fromEntries(times(10, (name) => [`key ${name}`, value]))),
      );
    },
    'the most events': () => {
      const count = Math.min(OTLP_LIMITS.maxEvents, bytes / EVENT_BYTES);
      return spans(bytes / EVENT_BYTES / count, (at) => ({ ...spanOf(at), events: times(count, () => ({ name: 'event' })) }));
    },
    'the most events that are messages': () => {
      const event = { name: 'gen_ai.user.message', attributes: { content: 'x' } };
      const count = Math.min(OTLP_LIMITS.maxEvents, bytes / (EVENT_BYTES + ATTRIBUTE_BYTES));
      return spans(bytes / (EVENT_BYTES + ATTRIBUTE_BYTES) / count, (at) => ({
        ...spanOf(at, { 'gen_ai.operation.name': 'chat' }),
        events: times(count, () => event),
      }));
    },
    'far more events than are kept': () =>
      spans(1, () => ({ ...spanOf(0), events: times(bytes / EVENT_BYTES, () => ({ name: 'event' })) })),
    'the most links': () => {
      const count = Math.min(OTLP_LIMITS.maxLinks, bytes / LINK_BYTES);
      const links = times(count, (at) => ({ traceId: traceOf(at), spanId: idOf(at) }));
      return spans(Math.min(most, bytes / LINK_BYTES / count), (at) => ({ ...spanOf(at), links }));
    },
    'far more links than are kept': () =>
      spans(1, () => ({ ...spanOf(0), links: times(bytes / LINK_BYTES, (at) => ({ traceId: traceOf(at), spanId: idOf(at) })) })),
    'as many resources as spans': () =>
      toRequest(...times(most, (at) => ({ resource: { 'service.name': `svc ${at}` }, spans: [callOf(at)] }))),
    'resources without spans': () => toRequest(...times(bytes / 120, () => ({ resource: {}, spans: [] }))),
    'the most attributes of resources': () =>
      toRequest(
        ...times(bytes / ATTRIBUTE_BYTES / attributes, (at) => ({ resource: names(attributes, 'k8s.'), spans: [callOf(at)] })),
      ),
    'a trace for each span': () => spans(most, (at) => ({ ...callOf(at), traceId: traceOf(at) })),
    'a session for each span': () =>
      spans(most, (at) => ({ ...spanOf(at, { 'session.id': `session ${at}` }), traceId: traceOf(at) })),
    [A_STREAM_EACH]: () =>
      spans(most, (at) => ({ ...spanOf(at, { 'eval.logstream.name': `stream ${at}` }), traceId: traceOf(at) })),
    'a chain of calls': () => chained(Math.min(most, CHAIN_LENGTH), (at) => at - 1),
    'a chain of calls from its end': () => chained(Math.min(most, CHAIN_LENGTH), (at) => at + 1),
    'a circle of calls': () => chained(Math.min(most, CHAIN_LENGTH), (at) => (at + 1) % Math.floor(Math.max(1, most))),
    'spans that are their own parents': () => chained(most, (at) => at),
    'spans whose parents are missing': () => chained(most, (at) => at + OTLP_LIMITS.maxSpans),
    'the same span again and again': () => spans(most, () => callOf(0)),
    'texts of messages': () =>
      inText(JSON.stringify(times(textLength / 60, () => ({ role: 'user', content: 'x' }))), 'gen_ai.input.messages'),
    'texts of messages in one span': () => {
      const text = JSON.stringify(times(textLength / 60, () => ({ role: 'user', content: 'x' })));
      const keys = times(Math.min(attributes, bytes / (text.length * 1.1)), (at) => `llm.input_messages.${at}.message.content`);
      return spans(1, () =>
        spanOf(0, { 'openinference.span.kind': 'LLM', ...Object.fromEntries(keys.map((key) => [key, text])) }),
      );
    },
    'texts of nested lists': () => inText(`${'['.repeat(textLength / 2)}${']'.repeat(textLength / 2)}`, 'gen_ai.input.messages'),
    'texts of many names': () =>
      inText(JSON.stringify(Object.fromEntries(times(textLength / 14, (at) => [`n ${at}`, 0]))), 'input.value'),
    'texts that are cut off': () => inText(`[${'"\\u0000",'.repeat(textLength / 9)}`, 'gen_ai.input.messages'),
  };
}

const SPAN_OF_LOGS = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const messageOf = (span: number): LogJson => ({
  ...SPAN_OF_LOGS,
  spanId: idOf(span),
  eventName: 'gen_ai.user.message',
  body: { content: 'x' },
});
/** Of one span as many log records are kept. */
const LOGS_EACH = 1_000;

/** Of the log endpoint: of one span, and of as many as there may be. */
export function logInputs(bytes: number, share: number): OtlpInputs<readonly LogJson[]> {
  const most = OTLP_LIMITS.maxSpans * share;
  const attributes = Math.min(OTLP_LIMITS.maxAttributes, bytes / ATTRIBUTE_BYTES);
  const textLength = Math.min(TEXT_LENGTH, bytes / 2);
  return {
    'as many log records as may be': () => times(most, messageOf),
    'as many log records of one span as may be': () => times(most, (at) => ({ ...SPAN_OF_LOGS, body: at })),
    'as many log records of spans as are kept': () => times(most, (at) => messageOf(Math.floor(at / LOGS_EACH))),
    'the longest texts in log records': () =>
      times(bytes / textLength, () => ({ ...SPAN_OF_LOGS, body: 'x'.repeat(textLength) })),
    'one longest text in a log record': () => [{ ...SPAN_OF_LOGS, body: 'x'.repeat(bytes) }],
    'the most attributes of log records': () =>
      times(bytes / ATTRIBUTE_BYTES / attributes, (at) => ({ ...messageOf(at), attributes: names(attributes, `key ${at}`) })),
    'the longest list in a log record': () => [{ ...SPAN_OF_LOGS, body: times(bytes / '{"intValue":"1"},'.length, () => 1) }],
    'the deepest values in log records': () => {
      const body = nested(LEVELS);
      return times(Math.min(most, bytes / (LEVELS * LEVEL_BYTES)), (at) => ({ ...messageOf(at), body }));
    },
    'a trace for each log record': () => times(most, (at) => ({ ...messageOf(at), traceId: traceOf(at) })),
    'log records of no span': () => times(most, () => ({ body: 'x' })),
  };
}

/** Spans that log records are about. */
export const spansWithLogs = (share: number): RequestJson =>
  toRequest({
    spans: times(OTLP_LIMITS.maxSpans * share, (at) => ({
      ...spanOf(at, { 'gen_ai.operation.name': 'chat' }),
      traceId: SPAN_OF_LOGS.traceId,
    })),
  });
