/** Longest name of a file in a header, in characters. */
const MAX_NAME = 100;

/** The header that names a file: the name as every client can read it, and as it was given for those that know RFC 6266. No path, no control, no quote. */
export function toDisposition(name: string, isInline = false): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header must not carry
  const given = [...name.toWellFormed().replaceAll(/[\u0000-\u001f\u007f"\\/:*?<>|]/g, '_')].slice(0, MAX_NAME).join('');
  const safe = given.replace(/^[.\s]+/, '').trim() || 'export';
  const plain = safe.replaceAll(/[^\w. -]/g, '_');
  const encoded = encodeURIComponent(safe).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${isInline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
