import { WireOtlpCodec } from '../../adapters/otlp/wire-otlp-codec.ts';
import type { JsonValue } from '../../core/kernel/json.ts';
import { runAtOnce } from '../../core/kernel/slices.ts';
import type { OtlpLog } from '../../core/otel/logs/otlp-log.ts';
import type { RecordedRequest } from './otlp-recorder.ts';

/** Requests that were kept of a sender. */
export interface Captured {
  readonly about: string;
  readonly sent_by: readonly string[];
  readonly requests: readonly RecordedRequest[];
}

/** Everything a sender said, in whichever attribute. */
export interface Sent {
  /** The words of each span, with its log records, by its id. */
  readonly spans: ReadonlyMap<string, string>;
  /** The words of all spans and logs. */
  readonly text: string;
}

const codec = new WireOtlpCodec();

export function readSent(requests: readonly RecordedRequest[]): Sent {
  const spans = new Map<string, string>();
  const logs: OtlpLog[] = [];
  for (const { path, content_type, base64 } of requests) {
    const body = Buffer.from(base64, 'base64');
    const encoding = content_type.includes('json') ? 'json' : 'protobuf';
    if (path.endsWith('/logs')) {
      const { resource_logs } = runAtOnce(codec.decodeLogs(body, encoding));
      logs.push(...resource_logs.flatMap(({ scope_logs }) => scope_logs.flatMap(({ logs: found }) => found)));
      continue;
    }
    for (const { scope_spans } of runAtOnce(codec.decode(body, encoding)).resource_spans) {
      for (const span of scope_spans.flatMap((scope) => scope.spans)) {
        spans.set(span.span_id, JSON.stringify([span.attributes, span.events, span.status], toPlain));
      }
    }
  }
  const loose: string[] = [];
  for (const log of logs) {
    const [span, text] = [spans.get(log.span_id), JSON.stringify([log.event_name, log.body, log.attributes], toPlain)];
    if (span === undefined) loose.push(text);
    else spans.set(log.span_id, `${span}\n${text}`);
  }
  return { spans, text: [...spans.values(), ...loose].join('\n') };
}

const toPlain = (_key: string, value: unknown): JsonValue => {
  if (value instanceof Map) return Object.fromEntries(value);
  return (typeof value === 'bigint' ? String(value) : value) as JsonValue;
};
