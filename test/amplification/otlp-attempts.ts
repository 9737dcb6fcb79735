import { OTLP_LIMITS, OTLP_MEDIA_TYPES, type OtlpEncoding } from '../../core/otel/otlp-codec.ts';
import { makeProject } from '../access/fixtures/project-fixtures.ts';
import { encodeOtlpBody } from '../fixtures/otel/otlp-bodies.ts';
import { encodeLogs, toLogRequest } from '../fixtures/otel/otlp-log-bodies.ts';
import { A_STREAM_EACH, logInputs, spanInputs, spansWithLogs } from './otlp-inputs.ts';
import type { Attempt, Posted, Stand } from './stand.ts';

/** As an operator has it who sets nothing. */
const MAX_BYTES = 64 * 2 ** 20;
const ENVELOPE = 0.97;

type Body = Uint8Array<ArrayBuffer>;
type Signal = 'traces' | 'logs';

interface Input {
  readonly operation: 'exportTraces' | 'exportLogs';
  readonly name: string;
  /** Log streams that it names. */
  readonly destinations?: number;
  /** One after the other; the last one is measured. */
  requests(encoding: OtlpEncoding): readonly (readonly [Signal, () => Body])[];
}

/**
 * Largest requests of exporters; `share` of the bounds, 1 for all of it. In both encodings, or in one or the other by turns where
 * that is enough.
 */
export async function* otlpAttempts(stand: Stand, share: number, isFull: boolean, only = /(?:)/): AsyncGenerator<Attempt> {
  const { ids } = await makeProject(stand.fixtureServer, stand.fixtureServer.host_id);
  for (const [at, input] of toInputs(MAX_BYTES * ENVELOPE * share, share).entries()) {
    if (!only.test(input.operation) && !only.test(input.name)) continue;
    const encodings = (['json', 'protobuf'] as const).filter((_, place) => isFull || place === at % 2);
    for (const encoding of encodings) yield attempt(stand, ids.project_id, input, encoding);
  }
}

function toInputs(bytes: number, share: number): Input[] {
  const spans = Object.entries(spanInputs(bytes, share)).map(
    ([name, make]): Input => ({
      operation: 'exportTraces',
      name,
      ...(name === A_STREAM_EACH && { destinations: OTLP_LIMITS.maxSpans * share }),
      requests: (encoding) => [['traces', () => encodeOtlpBody(make(), encoding)]],
    }),
  );
  const logs = Object.entries(logInputs(bytes, share)).map(
    ([name, make]): Input => ({
      operation: 'exportLogs',
      name,
      requests: (encoding) => [['logs', () => encodeLogs(toLogRequest(make()), encoding)]],
    }),
  );
  return [...spans, ...logs, ...joins(bytes, share), ...repeats(bytes, share)];
}

/** Log records of spans that are there, and spans whose log records are. */
function joins(bytes: number, share: number): Input[] {
  const messages = logInputs(bytes, share)['as many log records as may be']!;
  const spans = (encoding: OtlpEncoding) => ['traces', () => encodeOtlpBody(spansWithLogs(share), encoding)] as const;
  const logs = (encoding: OtlpEncoding) => ['logs', () => encodeLogs(toLogRequest(messages()), encoding)] as const;
  return [
    {
      operation: 'exportLogs',
      name: 'as many log records of stored spans as may be',
      requests: (encoding) => [spans(encoding), logs(encoding)],
    },
    {
      operation: 'exportTraces',
      name: 'as many spans with log records as may be',
      requests: (encoding) => [logs(encoding), spans(encoding)],
    },
  ];
}

/** Requests that are sent again, as exporters do that had no reply. */
function repeats(bytes: number, share: number): Input[] {
  const { 'as many spans as may be': oneTrace, 'a trace for each span': manyTraces } = spanInputs(bytes, share);
  return Object.entries({ 'the spans of one trace': oneTrace!, 'spans of as many traces': manyTraces! }).map(
    ([name, make]): Input => ({
      operation: 'exportTraces',
      name: `${name} again`,
      requests: (encoding) => [
        ['traces', () => encodeOtlpBody(make(), encoding)],
        ['traces', () => encodeOtlpBody(make(), encoding)],
      ],
    }),
  );
}

/** Each time another log stream, so that nothing is there yet. */
function attempt(
  stand: Stand,
  project_id: string,
  { operation, name, requests, destinations }: Input,
  encoding: OtlpEncoding,
): Attempt {
  const input = `${name}, ${encoding}`;
  let time = 0;
  const posting = stand.posting(operation, input, () => {
    time += 1;
    const headers = { 'project-id': project_id, logstream: `${input} ${time}`, 'content-type': OTLP_MEDIA_TYPES[encoding] };
    const toPosted = ([signal, make]: readonly [Signal, () => Body]): Posted => ({
      path: `/v1/${signal}`,
      headers,
      bytes: make(),
    });
    return requests(encoding).map(toPosted) as [Posted];
  });
  return { ...posting, ...(destinations !== undefined && { destinations }) };
}
