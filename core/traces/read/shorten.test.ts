import { describe, expect, it } from 'vitest';
import { MAX_SHOWN, shortened } from './shorten.ts';

const long = 'x'.repeat(MAX_SHOWN + 1);
const cut = `${'x'.repeat(MAX_SHOWN - 1)}…`;

describe('shortening a record', () => {
  it.each<[string, unknown, unknown]>([
    ['a text', long, cut],
    ['a text that just fits', 'x'.repeat(MAX_SHOWN), 'x'.repeat(MAX_SHOWN)],
    ['nothing', null, null],
    ['the content of a message', { role: 'assistant', content: long }, { role: 'assistant', content: cut }],
    [
      'each content of messages',
      [
        { role: 'user', content: 'short' },
        { role: 'user', content: long },
      ],
      [
        { role: 'user', content: 'short' },
        { role: 'user', content: cut },
      ],
    ],
    ['documents', [{ content: long, metadata: { page: long } }], [{ content: cut, metadata: { page: long } }]],
    [
      'parts of a content',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: long },
            { type: 'file', file_id: 'f' },
          ],
        },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: cut },
            { type: 'file', file_id: 'f' },
          ],
        },
      ],
    ],
    [
      'content blocks',
      [
        { type: 'text', text: long },
        { type: 'file', file_id: long },
      ],
      [
        { type: 'text', text: cut },
        { type: 'file', file_id: long },
      ],
    ],
    ['a message without content', { role: 'assistant', tool_calls: [] }, { role: 'assistant', tool_calls: [] }],
  ])('cuts %s', (_what, payload, expected) => {
    const record = { id: 'r', input: payload, output: payload, redacted_input: payload, redacted_output: payload };
    expect(shortened(record)).toEqual({
      id: 'r',
      input: expected,
      output: expected,
      redacted_input: expected,
      redacted_output: expected,
    });
  });

  it('never cuts a character in two', () => {
    const text = `${'x'.repeat(MAX_SHOWN - 2)}\u{1f99c}${'x'.repeat(9)}`;
    expect(shortened({ input: text }).input).toBe(`${'x'.repeat(MAX_SHOWN - 2)}…`);
  });

  it('leaves everything else as it is, and adds no fields', () => {
    expect(shortened({ name: long, dataset_input: long, output: 'short' })).toEqual({
      name: long,
      dataset_input: long,
      output: 'short',
    });
  });
});
