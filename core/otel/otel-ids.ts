import type { Sha256 } from '../kernel/digest.ts';

export type { Sha256 } from '../kernel/digest.ts';

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

export const isTraceId = (hex: string): boolean => TRACE_ID.test(hex);
export const isSpanId = (hex: string): boolean => SPAN_ID.test(hex);

/**
 * The id of the trace record: the trace id with the marks of a version 4 UUID, which typed clients insist on. The same
 * for every worker and every repeat, so nothing has to be looked up.
 */
export const traceRecordId = (traceId: string): string => uuid4(traceId);

/** The id of a span's record. Span ids are unique inside their trace only, so the trace id is part of it. */
export const spanRecordId = (traceId: string, spanId: string, sha256: Sha256): string =>
  uuid4(sha256(toBytes(traceId + spanId)).slice(0, 32));

/** The digit after the version says the variant in its upper two bits. */
const VARIANTS = '89ab';

/** 32 hexadecimal digits as a UUID of version 4. */
export function uuid4(hex: string): string {
  const variant = VARIANTS[computeDigit(hex.charCodeAt(16)) & 0x3]!;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const hashed = new Uint8Array(24);

/** Bytes of a trace id and a span id, good until the next call. */
function toBytes(hex: string): Uint8Array {
  const bytes = hex.length === 2 * hashed.length ? hashed : new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = (computeDigit(hex.charCodeAt(2 * at)) << 4) | computeDigit(hex.charCodeAt(2 * at + 1));
  return bytes;
}

/** Value of a hexadecimal digit in lower case, by its character code. */
const computeDigit = (code: number): number => (code & 0xf) + (code > 0x39 ? 9 : 0);
