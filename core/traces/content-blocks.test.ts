import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { contentText, isContentBlocks } from './content-blocks.ts';

const text = { type: 'text', text: 'a' };

describe('content blocks', () => {
  it.each<[JsonValue, boolean]>([
    [[text], true],
    [[{ type: 'file', file_id: 'f' }], true],
    [[text, { type: 'tool_result', content: 'x' }], true],
    [[{ type: 'hologram' }, text], true],
    [[], false],
    ['text', false],
    [null, false],
    [text, false],
    [[text, 'text'], false],
    [[text, null], false],
    [[text, { text: 'a' }], false],
    [[{ type: 7, text: 'a' }], false],
    [[{ type: 'message', role: 'user', content: 'x' }], false],
    [[{ type: 'Document', page_content: 'x' }], false],
    [[{ type: 'Document', content: 'x', metadata: {} }], false],
    [[JSON.parse('{"__proto__": {"type": "text"}}') as JsonObject], false],
  ])('%j: %s', (payload, expected) => {
    expect(isContentBlocks(payload)).toBe(expected);
  });

  it('are read as their texts, in their order', () => {
    const blocks: JsonObject[] = [
      text,
      { type: 'file', file_id: 'f' },
      { type: 'text', text: '' },
      { type: 'text', text: 7 },
      { type: 'output_text', text: 'b' },
    ];
    expect(contentText(blocks)).toBe('a\n\nb');
    expect(contentText([{ type: 'file' }])).toBe('');
  });
});
