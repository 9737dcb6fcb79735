import { pick } from '../dialects/every-dialect.ts';
import { hasEscapedException } from '../exception.ts';
import { OTLP_STATUS_ERROR, OTLP_STATUS_OK } from './otlp-span.ts';
import type { SpanReader } from './span-reader.ts';

const HTTP_STATUS_KEYS = ['http.response.status_code', 'http.status_code'];

export function hasFailed(reader: SpanReader): boolean {
  const { code } = reader.span.status;
  if (code === OTLP_STATUS_ERROR) return true;
  return code !== OTLP_STATUS_OK && (hasEscapedException(reader) || pick(reader, 'failed') === true);
}

/** An HTTP status where there is one, else the nearest to what is known; null while the span runs. */
export function getStatusCode(reader: SpanReader): number | null {
  const failed = hasFailed(reader);
  const http = httpStatus(reader, failed ? 400 : 100);
  if (http !== undefined) return http;
  if (failed) return 500;
  return reader.span.end_unix_nano === 0n ? null : 200;
}

function httpStatus(reader: SpanReader, atLeast: number): number | undefined {
  for (const key of HTTP_STATUS_KEYS) {
    const status = reader.attempt(() => {
      const number = reader.number(key);
      return number !== undefined && Number.isInteger(number) && number >= atLeast && number < 1000 ? number : undefined;
    });
    if (status !== undefined) return status;
  }
  return undefined;
}
