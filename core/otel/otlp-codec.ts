import type { Steps } from '../kernel/slices.ts';
import type { OtlpLogRequest } from './logs/otlp-log.ts';
import type { OtlpMetricRequest } from './metrics/otlp-metric.ts';
import type { OtlpRequest } from './spans/otlp-span.ts';

export type OtlpEncoding = 'protobuf' | 'json';
export type OtlpSignal = 'traces' | 'logs' | 'metrics';

export const OTLP_MEDIA_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** Returns undefined for a media type the endpoint does not take; parameters such as a charset do not matter. */
export function getOtlpEncoding(contentType: string | undefined): OtlpEncoding | undefined {
  const mediaType = (contentType ?? '').replace(/;.*/s, '').trim().toLowerCase();
  if (mediaType === OTLP_MEDIA_TYPES.protobuf) return 'protobuf';
  return mediaType === OTLP_MEDIA_TYPES.json ? 'json' : undefined;
}

/** Limits of one request. Parts of a span beyond its limits are left out and counted; a request beyond its limits is refused. */
export interface OtlpLimits {
  readonly maxSpans: number;
  readonly maxAttributes: number;
  readonly maxEvents: number;
  readonly maxLinks: number;
  /** Levels of arrays and maps inside one value; what is deeper becomes null. */
  readonly maxDepth: number;
  /** Values of any kind in the request: a few bytes can ask for an object each. */
  readonly maxValues: number;
  /** The same in one span, or in what a resource says of itself. */
  readonly maxValuesPerSpan: number;
  /** Bytes of one attribute, event or link. */
  readonly maxPartBytes: number;
}

export const OTLP_LIMITS: OtlpLimits = {
  maxSpans: 20_000,
  maxAttributes: 2_000,
  maxEvents: 1_000,
  maxLinks: 128,
  maxDepth: 32,
  maxValues: 4_000_000,
  maxValuesPerSpan: 100_000,
  maxPartBytes: 16 * 1_048_576,
};

/** How much of a request was not taken: spans, log records or data points. `message` without refusals is a warning. */
export interface OtlpOutcome {
  readonly rejected: number;
  readonly message: string;
}

export interface OtlpStatus {
  /** A code of google.rpc.Code. */
  readonly code: number;
  readonly message: string;
}

/** Reads requests of the endpoints and writes its replies, in either encoding. */
export interface OtlpCodec {
  /**
   * Rejects no single span: whoever reads the request judges its spans. Throws AppError `invalid` when the body cannot
   * be decoded and `too_large` when it holds more than the limits allow, and nothing else. In steps: a large request takes
   * seconds.
   */
  decode(body: Uint8Array, encoding: OtlpEncoding): Steps<OtlpRequest>;
  /** The same for a request of the log endpoint. */
  decodeLogs(body: Uint8Array, encoding: OtlpEncoding): Steps<OtlpLogRequest>;
  /** The same for a request of the metric endpoint. */
  decodeMetrics(body: Uint8Array, encoding: OtlpEncoding): Steps<OtlpMetricRequest>;
  /** The reply of a request that was taken: nothing at all in protobuf, `{}` in JSON, unless something is to be said. */
  encodeOutcome(outcome: OtlpOutcome, encoding: OtlpEncoding, signal?: OtlpSignal): Uint8Array;
  encodeStatus(status: OtlpStatus, encoding: OtlpEncoding): Uint8Array;
}
