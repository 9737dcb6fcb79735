import { hasEscapedException } from '../exception.ts';
import { OTLP_STATUS_ERROR, OTLP_STATUS_OK } from './otlp-span.ts';
import type { SpanFields } from './span-fields.ts';

const HTTP_STATUS_KEYS = ['http.response.status_code', 'http.status_code'];

export function hasFailed(fields: SpanFields): boolean {
  const { code } = fields.span.status;
  if (code === OTLP_STATUS_ERROR) return true;
  return code !== OTLP_STATUS_OK && (hasEscapedException(fields.reader) || fields.pick('failed') === true);
}

/** An HTTP status where there is one, else the nearest to what is known; null while the span runs. */
export function getStatusCode(fields: SpanFields): number | null {
  const failed = hasFailed(fields);
  const http = httpStatus(fields, failed ? 400 : 100);
  if (http !== undefined) return http;
  if (failed) return 500;
  return fields.span.end_unix_nano === 0n ? null : 200;
}

function httpStatus({ reader }: SpanFields, atLeast: number): number | undefined {
  for (const key of HTTP_STATUS_KEYS) {
    const status = reader.attempt(() => {
      const number = reader.number(key);
      return number !== undefined && Number.isInteger(number) && number >= atLeast && number < 1000 ? number : undefined;
    });
    if (status !== undefined) return status;
  }
  return undefined;
}
