/**
 * The id of a file within its project: a UUID of version 8 that is made of the SHA-256 of its content, in hexadecimal digits, so that the
 * same bytes are one file however often they are sent, and a record that is sent again stays the same.
 */
export function toFileId(digits: string): string {
  const variant = '89ab'[Number.parseInt(digits[16]!, 16) % 4]!;
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
