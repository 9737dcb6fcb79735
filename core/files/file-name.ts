import type { FileKey } from './file.ts';

const EXTENSIONS: Readonly<Record<string, string>> = { 'audio/mpeg': 'mp3', 'image/jpeg': 'jpg', 'text/plain': 'txt' };

/** The name under which a file is saved: its own, else its id with the extension of its type. */
export const toFileName = ({ id, filename }: FileKey & { readonly filename: string | null }, content_type: string): string =>
  filename || `${id}.${getExtension(content_type)}`;

function getExtension(content_type: string): string {
  const subtype = content_type.slice(content_type.indexOf('/') + 1);
  return EXTENSIONS[content_type] ?? (/^[a-z0-9]{2,5}$/.test(subtype) ? subtype : 'bin');
}
