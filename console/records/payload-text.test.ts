import { describe, expect, it } from 'vitest';
import { payloadText } from './payload-text.ts';

describe('a payload in a cell', () => {
  it.each([
    ['plain', 'plain'],
    [null, ''],
    [
      [
        { role: 'user', content: 'first' },
        { role: 'user', content: 'last' },
      ],
      'last',
    ],
    [{ role: 'assistant', content: [{ type: 'text', text: 'part' }] }, 'part'],
    [[{ content: 'one' }, { content: 'two' }], 'one · two'],
    [{ role: 'assistant', content: '', tool_calls: [{ id: 1 }] }, '[{"id":1}]'],
    [{ a: 1 }, '{"a":1}'],
    [
      [
        { type: 'text', text: 'see' },
        { type: 'file', file_id: 'f' },
        { type: 'text', text: 'this' },
      ],
      'see\n[file]\nthis',
    ],
    [[{ role: 'critic', content: [{ type: 'file', file_id: 'f' }] }], '[file]'],
  ])('is what it says: %j', (payload, text) => {
    expect(payloadText(payload)).toBe(text);
  });
});
