import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/kernel/json.ts';
import { getBeginning } from './beginning.ts';
import { parsePayload } from './payload.ts';

describe('a payload', () => {
  it('is nothing, a text, or JSON in a text', () => {
    expect([parsePayload(null), parsePayload(''), parsePayload(undefined)].map(({ kind }) => kind)).toEqual([
      'nothing',
      'nothing',
      'nothing',
    ]);
    expect(parsePayload('12')).toEqual({ kind: 'text', text: '12' });
    expect(parsePayload('[not json')).toEqual({ kind: 'text', text: '[not json' });
    expect(parsePayload(' {"a":1}')).toEqual({ kind: 'json', value: { a: 1 } });
    expect(parsePayload([])).toEqual({ kind: 'json', value: [] });
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
    expect(parsePayload(message)).toEqual({ kind: 'messages', messages: [shown] });
    expect(parsePayload(JSON.stringify([message]))).toEqual({ kind: 'messages', messages: [shown] });
    expect(parsePayload([message, { other: true }]).kind).toBe('json');
  });

  it('keeps the parts of a message: texts, pictures that came along, and what is unknown', () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
    const far = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
    const payload = parsePayload({ role: 'user', content: [{ type: 'input_text', text: 'this' }, picture, far] });
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
    expect(parsePayload(blocks)).toEqual({ kind: 'blocks', parts });
    expect(parsePayload(JSON.stringify(blocks))).toEqual({ kind: 'blocks', parts });
    expect(parsePayload([...blocks, { text: 'no type' }]).kind).toBe('json');
    expect(parsePayload([{ type: 'Document', page_content: 'x' }]).kind).toBe('documents');
  });

  it('does not stumble over calls and parts of a form of their own', () => {
    const payload = parsePayload({
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
      parsePayload([
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
    for (const text of ['', 'short', 'x'.repeat(1600)]) expect(getBeginning(text)).toBe(text);
  });

  it('ends after so many characters or lines, and never within a character', () => {
    expect(getBeginning('x'.repeat(5000))).toHaveLength(1500);
    expect(getBeginning('line of text\n'.repeat(100)).split('\n')).toHaveLength(30);
    expect(getBeginning(`x${'😀'.repeat(2000)}`).isWellFormed()).toBe(true);
  });
});
