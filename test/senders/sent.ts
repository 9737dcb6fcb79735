import { WireOtlpCodec } from '../../adapters/otlp/wire-otlp-codec.ts';
import type { JsonValue } from '../../core/kernel/json.ts';
import { runAtOnce } from '../../core/kernel/slices.ts';
import type { RecordedRequest } from './otlp-recorder.ts';

/** Requests that were kept of a sender. */
export interface Captured {
  readonly about: string;
  readonly sent_by: readonly string[];
  readonly requests: readonly RecordedRequest[];
}

/** Everything a sender said, in whichever attribute. */
export interface Sent {
  readonly span_ids: ReadonlySet<string>;
  readonly text: string;
}

const codec = new WireOtlpCodec();

export function readSent(requests: readonly RecordedRequest[]): Sent {
  const span_ids = new Set<string>();
  const texts: string[] = [];
  for (const { path, content_type, base64 } of requests) {
    const body = Buffer.from(base64, 'base64');
    const encoding = content_type.includes('json') ? 'json' : 'protobuf';
    if (path.endsWith('/logs')) {
      texts.push(JSON.stringify(runAtOnce(codec.decodeLogs(body, encoding)), toPlain));
      continue;
    }
    for (const { scope_spans } of runAtOnce(codec.decode(body, encoding)).resource_spans) {
      for (const span of scope_spans.flatMap(({ spans }) => spans)) {
        span_ids.add(span.span_id);
        texts.push(JSON.stringify([span.attributes, span.events, span.status], toPlain));
      }
    }
  }
  return { span_ids, text: texts.join('\n') };
}

const toPlain = (_key: string, value: unknown): JsonValue => {
  if (value instanceof Map) return Object.fromEntries(value);
  return (typeof value === 'bigint' ? String(value) : value) as JsonValue;
};
