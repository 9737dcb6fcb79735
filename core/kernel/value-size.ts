/** The longest number of JSON is `-1.7976931348623157e+308`. */
const LONGEST_NUMBER = 24;
/** Bytes that one UTF-16 code unit takes at most, written as `\\u0000`. */
const MAX_BYTES_PER_UNIT = 6;

/** Length of a value as JSON text, as if no character had to be escaped; numbers count as the longest. Makes no text of it. */
export function estimateJsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return LONGEST_NUMBER;
  let length = 2;
  if (Array.isArray(value)) for (const item of value) length += estimateJsonLength(item) + 1;
  else for (const key in value) length += key.length + 4 + estimateJsonLength((value as Record<string, unknown>)[key]);
  return length;
}

/** Bytes that a value cannot exceed as JSON. */
export const boundJsonBytes = (value: unknown): number => estimateJsonLength(value) * MAX_BYTES_PER_UNIT;

/** Whether a value of JSON holds more values than `limit`, itself among them. Looks at no more of them than that. */
export function holdsMoreThan(limit: number, value: unknown): boolean {
  const open: unknown[] = [value];
  let seen = 0;
  for (let next = open.pop(); seen <= limit; next = open.pop()) {
    seen += 1;
    if (typeof next === 'object' && next !== null) {
      for (const key in next) {
        if (seen + open.length > limit) return true;
        open.push((next as Record<string, unknown>)[key]);
      }
    }
    if (open.length === 0) return seen > limit;
  }
  return true;
}
