/** Of bytes of which nothing is known. */
export const OCTETS = 'application/octet-stream';

/** Texts that no browser runs: of these the sender's word counts, where the bytes can be text at all. */
const PLAIN_TEXTS = new Set(['text/plain', 'text/csv', 'text/markdown', 'application/json', 'application/jsonl']);

/** Bytes that a file of a type begins with, each at its place, as characters of one byte. */
interface Signature {
  readonly type: string;
  readonly at: readonly (readonly [offset: number, bytes: string])[];
}

const SIGNATURES: readonly Signature[] = [
  { type: 'image/png', at: [[0, '\x89PNG\r\n\x1a\n']] },
  { type: 'image/jpeg', at: [[0, '\xff\xd8\xff']] },
  { type: 'image/gif', at: [[0, 'GIF87a']] },
  { type: 'image/gif', at: [[0, 'GIF89a']] },
  {
    type: 'image/webp',
    at: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
  { type: 'image/avif', at: [[4, 'ftypavif']] },
  { type: 'image/heic', at: [[4, 'ftypheic']] },
  { type: 'image/tiff', at: [[0, 'II*\0']] },
  { type: 'image/tiff', at: [[0, 'MM\0*']] },
  {
    type: 'audio/wav',
    at: [
      [0, 'RIFF'],
      [8, 'WAVE'],
    ],
  },
  { type: 'audio/mpeg', at: [[0, 'ID3']] },
  { type: 'audio/flac', at: [[0, 'fLaC']] },
  { type: 'audio/ogg', at: [[0, 'OggS']] },
  { type: 'audio/mp4', at: [[4, 'ftypM4A ']] },
  { type: 'video/mp4', at: [[4, 'ftyp']] },
  { type: 'video/webm', at: [[0, '\x1aE\xdf\xa3']] },
  { type: 'application/pdf', at: [[0, '%PDF-']] },
];

/** Every type under which content is served. */
export const SERVED_TYPES: readonly [string, ...string[]] = [
  OCTETS,
  ...new Set([...PLAIN_TEXTS, ...SIGNATURES.map(({ type }) => type)]),
];

/** The type of media that the bytes begin like; undefined for anything else, markup among it. */
export function detectContentType(bytes: Uint8Array): string | undefined {
  const found = SIGNATURES.find(({ at }) => at.every(([offset, expected]) => hasAt(bytes, offset, expected)));
  return found?.type ?? (isMpegFrame(bytes) ? 'audio/mpeg' : undefined);
}

/** The type under which content is kept and served: what it is, else plain text where its sender says so, else octets. */
export function checkContentType(bytes: Uint8Array, claimed: string): string {
  const detected = detectContentType(bytes);
  if (detected !== undefined) return detected;
  const type = claimed.split(';', 1)[0]!.trim().toLowerCase();
  return PLAIN_TEXTS.has(type) && !bytes.includes(0) ? type : OCTETS;
}

/** Whether a browser may show it in place; everything else is saved. Documents are not: a viewer of theirs runs scripts. */
export const isShownInPlace = (content_type: string): boolean => /^(image|audio|video)\//.test(content_type);

/** An MP3 without a tag: eleven set bits, then a version, a layer and a bit rate that exist. */
const isMpegFrame = ([first, second, third]: Uint8Array): boolean =>
  first === 0xff &&
  second !== undefined &&
  (second & 0xe0) === 0xe0 &&
  (second & 0x18) !== 0x08 &&
  (second & 0x06) === 0x02 &&
  third !== undefined &&
  (third & 0xf0) !== 0xf0 &&
  (third & 0x0c) !== 0x0c;

function hasAt(bytes: Uint8Array, offset: number, expected: string): boolean {
  if (bytes.length < offset + expected.length) return false;
  for (let at = 0; at < expected.length; at += 1) if (bytes[offset + at] !== expected.charCodeAt(at)) return false;
  return true;
}
