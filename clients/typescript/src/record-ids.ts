import type { Span } from '@opentelemetry/api';

/** Ids by which the service knows a span and its trace. */
export interface RecordIds {
  readonly span: string;
  readonly trace: string;
}

/** The service makes them of the ids of OpenTelemetry, so they are known before anything is sent. */
export async function toRecordIds(span: Span): Promise<RecordIds> {
  const { traceId, spanId } = span.spanContext();
  const bytes = Uint8Array.from((traceId + spanId).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const digits = Array.from(digest.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { span: toUuid4(digits), trace: toUuid4(traceId) };
}

/** 32 hexadecimal digits with the marks of version and variant. */
function toUuid4(hex: string): string {
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
