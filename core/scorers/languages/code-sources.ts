/** Why a source cannot be a program in any language; undefined when it can. NUL and lone surrogates cannot be stored. */
export function sourceFlaw(source: string, maxBytes: number): string | undefined {
  if (new TextEncoder().encode(source).length > maxBytes) return `the scorer is longer than ${maxBytes} bytes`;
  if (source.includes('\0')) return 'the scorer holds a NUL character';
  if (!source.isWellFormed()) return 'the scorer holds half of a surrogate pair';
  return undefined;
}
