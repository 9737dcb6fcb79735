import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/kernel/json.ts';
import { beginningOf } from './beginning.ts';
import { payloadOf } from './payload.ts';

describe('a payload', () => {
  it('is nothing, a text, or JSON in a text', () => {
    expect([payloadOf(null), payloadOf(''), payloadOf(undefined)].map(({ kind }) => kind)).toEqual([
      'nothing',
      'nothing',
      'nothing',
    ]);
    expect(payloadOf('12')).toEqual({ kind: 'text', text: '12' });
    expect(payloadOf('[not json')).toEqual({ kind: 'text', text: '[not json' });
    expect(payloadOf(' {"a":1}')).toEqual({ kind: 'json', value: { a: 1 } });
    expect(payloadOf([])).toEqual({ kind: 'json', value: [] });
  });

  it('is a conversation when all of it are messages, one alone among them', () => {
    const call = { id: 'c1', function: { name: 'look', arguments: '{"at":1}' } };
    const message = { role: 'assistant', content: 'one moment', tool_calls: [call] };
    const shown = {
      role: 'assistant',
      parts: [{ kind: 'text', text: 'one moment' }],
      tool_calls: [{ id: 'c1', name: 'look', arguments: '{"at":1}' }],
      tool_call_id: undefined,
    };
    expect(payloadOf(message)).toEqual({ kind: 'messages', messages: [shown] });
    expect(payloadOf(JSON.stringify([message]))).toEqual({ kind: 'messages', messages: [shown] });
    expect(payloadOf([message, { other: true }]).kind).toBe('json');
  });

  it('keeps the parts of a message: texts, pictures that came along, and what is unknown', () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
    const far = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
    const payload = payloadOf({ role: 'user', content: [{ type: 'input_text', text: 'this' }, picture, far] });
    expect(payload.kind === 'messages' && payload.messages[0]!.parts).toEqual([
      { kind: 'text', text: 'this' },
      { kind: 'picture', url: 'data:image/png;base64,AA' },
      { kind: 'other', type: 'image_url', value: far },
    ]);
  });

  it('is content blocks when every one has a type and none a role, JSON in a text, too', () => {
    const blocks: JsonObject[] = [
      { type: 'text', text: 'see' },
      { type: 'file', file_id: 'f' },
    ];
    const parts = [
      { kind: 'text', text: 'see' },
      { kind: 'other', type: 'file', value: blocks[1] },
    ];
    expect(payloadOf(blocks)).toEqual({ kind: 'blocks', parts });
    expect(payloadOf(JSON.stringify(blocks))).toEqual({ kind: 'blocks', parts });
    expect(payloadOf([...blocks, { text: 'no type' }]).kind).toBe('json');
    expect(payloadOf([{ type: 'Document', page_content: 'x' }]).kind).toBe('documents');
  });

  it('does not stumble over calls and parts of a form of their own', () => {
    const payload = payloadOf({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 1 }, 'odd', { function: { arguments: { a: 1 } } }],
    });
    expect(payload.kind === 'messages' && payload.messages[0]!.tool_calls).toEqual([
      { id: '', name: 'unnamed', arguments: '{}' },
      { id: '', name: 'unnamed', arguments: '{"a":1}' },
    ]);
  });

  it('is documents with their scores and metadata', () => {
    expect(
      payloadOf([
        { content: 'calm', metadata: { score: 0.5, source: 'a' } },
        { page_content: 'old', rank: 2 },
      ]),
    ).toEqual({
      kind: 'documents',
      documents: [
        { content: 'calm', score: 0.5, metadata: { source: 'a' } },
        { content: 'old', score: undefined, metadata: { rank: 2 } },
      ],
    });
  });
});

describe('the beginning of a text', () => {
  it('is all of a short one, and of one that is hardly longer', () => {
    for (const text of ['', 'short', 'x'.repeat(1600)]) expect(beginningOf(text)).toBe(text);
  });

  it('ends after so many characters or lines, and never within a character', () => {
    expect(beginningOf('x'.repeat(5000))).toHaveLength(1500);
    expect(beginningOf('line of text\n'.repeat(100)).split('\n')).toHaveLength(30);
    expect(beginningOf(`x${'😀'.repeat(2000)}`).isWellFormed()).toBe(true);
  });
});
