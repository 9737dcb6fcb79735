import { describe, expect, it } from 'vitest';
import { findInlineMedia, isInlineMedia, readMediaUrl } from './inline-media.ts';

const blob = (content: string) => ({ type: 'blob', modality: 'image', mime_type: 'image/png', content });

describe('media in messages', () => {
  it('are taken up to the size that files may have', () => {
    const largest = 'A'.repeat(Math.ceil((25 * 1_048_576) / 3) * 4);
    expect(isInlineMedia(findInlineMedia(blob(largest)))).toBe(true);
    expect(findInlineMedia(blob(`${largest}AAAA`))).toBeUndefined();
    expect(findInlineMedia(blob(`${largest.slice(0, -5)}!AAAA`))).toBeUndefined();
  });

  it('keep the name of their file and the type of the data URL', () => {
    const part = { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${'A'.repeat(16)}` } };
    const media = { type: 'blob', modality: 'document', mime_type: 'application/pdf', content: 'A'.repeat(16) };
    expect(findInlineMedia(part)).toEqual({ ...media, filename: 'a.pdf' });
    expect(readMediaUrl(part.file.file_data)).toEqual(media);
  });

  it.each([
    ['an address', { type: 'image_url', image_url: { url: 'https://example.com/aaaaaaaaaaaaaaaa.png' } }],
    ['an id of a file', { type: 'file', file_id: 'file-aaaaaaaaaaaaaaaa' }],
    ['arguments of a tool', { type: 'tool_use', input: { data: 'A'.repeat(16) } }],
    ['what is of no media type', { type: 'file', data: 'A'.repeat(16) }],
    ['a format that no document has', { document: { format: 'constructor', source: { bytes: 'A'.repeat(16) } } }],
    ['a type that is no text', { type: [{}], data: 'A'.repeat(16) }],
  ])('are not found in %s', (_name, part) => {
    expect(findInlineMedia(part)).toBeUndefined();
  });
});
