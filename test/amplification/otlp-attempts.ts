import { OTLP_LIMITS, OTLP_MEDIA_TYPES, type OtlpEncoding } from '../../core/otel/otlp-codec.ts';
import { makeProject } from '../access/fixtures/project-fixtures.ts';
import { encodeOtlpBody, type RequestJson, toRequest } from '../fixtures/otel/otlp-bodies.ts';
import { encodeLogs, type LogJson, toLogRequest } from '../fixtures/otel/otlp-log-bodies.ts';
import type { ShortSpan } from '../fixtures/otel/short-form.ts';
import type { Attempt, Stand } from './stand.ts';

/** As an operator has it who sets nothing. */
const MAX_BYTES = 64 * 2 ** 20;
const ENVELOPE = 0.97;
const TEXT_LENGTH = 1_000_000;
/** Size of one attribute in JSON, with its place in the list. */
const ATTRIBUTE_BYTES = 56;

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, at) => make(at));

const spanOf = (at: number, attributes: NonNullable<ShortSpan['attributes']>): ShortSpan => ({
  spanId: (at + 1).toString(16).padStart(16, '0'),
  name: 'step',
  attributes,
});

/** Largest requests of exporters, in either encoding; `share` of the bounds, 1 for all of it. */
export async function* otlpAttempts(stand: Stand, share: number): AsyncGenerator<Attempt> {
  const { ids } = await makeProject(stand.fixtureServer, stand.fixtureServer.host_id);
  const bytes = MAX_BYTES * ENVELOPE * share;
  const inputs: Readonly<Record<string, () => RequestJson>> = {
    'as many spans as may be': () =>
      toRequest({
        spans: times(OTLP_LIMITS.maxSpans * share, (at) =>
          spanOf(at, { 'openinference.span.kind': 'LLM', 'input.value': 'x', 'llm.token_count.prompt': 1 }),
        ),
      }),
    'more spans than may be': () =>
      toRequest({ spans: times(OTLP_LIMITS.maxSpans + 1, (at) => spanOf(at, { 'input.value': 'x' })) }),
    'the longest texts': () =>
      toRequest({ spans: times(bytes / TEXT_LENGTH, (at) => spanOf(at, { 'input.value': 'x'.repeat(TEXT_LENGTH) })) }),
    'the most attributes': () => {
      const count = Math.min(OTLP_LIMITS.maxAttributes, bytes / ATTRIBUTE_BYTES);
      return toRequest({
        spans: times(bytes / ATTRIBUTE_BYTES / count, (at) =>
          spanOf(at, Object.fromEntries(times(count, (name) => [`key ${at} ${name}`, 'x']))),
        ),
      });
    },
    'the longest list': () =>
      toRequest({ spans: [spanOf(0, { 'input.value': times(bytes / '{"intValue":"1"},'.length, () => 1) })] }),
  };
  for (const [input, make] of Object.entries(inputs))
    for (const encoding of ['json', 'protobuf'] as const)
      yield attempt(stand, ids.project_id, `${input}, ${encoding}`, encoding, () => encodeOtlpBody(make(), encoding));
  for (const [input, make] of Object.entries(logInputs(bytes, share)))
    for (const encoding of ['json', 'protobuf'] as const) {
      const body = () => encodeLogs(toLogRequest(make()), encoding);
      yield attempt(stand, ids.project_id, `${input}, ${encoding}`, encoding, body, 'exportLogs');
    }
}

const SPAN_OF_LOGS = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

/** Bodies of the log endpoint: of one span, and of as many as there may be. */
const logInputs = (bytes: number, share: number): Readonly<Record<string, () => readonly LogJson[]>> => ({
  'as many log records as may be': () =>
    times(OTLP_LIMITS.maxSpans * share, (at) => ({
      ...SPAN_OF_LOGS,
      spanId: (at + 1).toString(16).padStart(16, '0'),
      eventName: 'gen_ai.user.message',
      body: { content: 'x' },
    })),
  'as many log records of one span as may be': () => times(OTLP_LIMITS.maxSpans * share, (at) => ({ ...SPAN_OF_LOGS, body: at })),
  'the longest texts in log records': () =>
    times(bytes / TEXT_LENGTH, () => ({ ...SPAN_OF_LOGS, body: 'x'.repeat(TEXT_LENGTH) })),
});

/** Each time another log stream, so that nothing is there yet. */
function attempt(
  stand: Stand,
  project_id: string,
  input: string,
  encoding: OtlpEncoding,
  make: () => Uint8Array<ArrayBuffer>,
  operation: 'exportTraces' | 'exportLogs' = 'exportTraces',
): Attempt {
  let time = 0;
  const headers = (stream: string) => ({
    'project-id': project_id,
    logstream: stream,
    'content-type': OTLP_MEDIA_TYPES[encoding],
  });
  const path = operation === 'exportTraces' ? '/v1/traces' : '/v1/logs';
  return stand.posting(operation, path, input, () => {
    time += 1;
    const stream = `${input} ${time}`;
    return { headers: headers(stream), bytes: make() };
  });
}
