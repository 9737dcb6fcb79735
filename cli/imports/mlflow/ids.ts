import { toSpanId, toTraceId } from '../record-ids.ts';

const HEX = /^(0x)?([\da-f]{1,32})$/i;

/**
 * Ids of spans are hexadecimal digits, with `0x` before them in older exports, or bytes in base64 in those of a trace server. Ids of
 * traces have `tr-` before the digits; where the span says the digits of OpenTelemetry, those count.
 */
export const toMlflowSpan = (id: string): string => toSpanId('mlflow', toDigits(id, 16));

export const toMlflowTrace = (id: string): string => toTraceId('mlflow', toDigits(id.replace(/^tr-/, ''), 32));

function toDigits(id: string, length: number): string {
  const hex = HEX.exec(id);
  if (hex) return hex[1] === undefined ? id : hex[2]!.padStart(length, '0');
  const bytes = Buffer.from(id, 'base64').toString('hex');
  return bytes.length === length ? bytes : id;
}
