import { describe, expect, it } from 'vitest';
import type { UsedPrompt } from './experiment-facts.ts';
import { promptFor, toModelQuestion } from './row-prompt.ts';

const used = (content: UsedPrompt['content'], raw = false): UsedPrompt => ({
  prompt_template_id: 't',
  prompt_template_version_id: 'v',
  version_index: 1,
  name: 'n',
  content,
  raw,
});

describe('the prompt of a row', () => {
  it('is a text of the user, filled; a raw one as it stands', () => {
    expect(promptFor(used('{{a}} {{b}}'), { a: '1' })).toEqual({
      messages: [{ role: 'user', content: '1 {{b}}' }],
      missing: ['b'],
    });
    expect(promptFor(used('{{a}}', true), { a: '1' })).toEqual({ messages: [{ role: 'user', content: '{{a}}' }], missing: [] });
  });

  it('is asked with the settings that were given, and no others', () => {
    const settings = { model_alias: 'm', temperature: 0, top_p: 1, max_tokens: 9, stop_sequences: ['x'], top_k: 41, n: 2 };
    const { messages: _messages, ...rest } = toModelQuestion([{ role: 'user', content: 'a' }], settings);
    expect(rest).toEqual({
      temperature: 0,
      top_p: 1,
      max_tokens: 9,
      stop: ['x'],
      top_k: 41,
      required: ['temperature', 'top_k', 'stop'],
    });
    expect(toModelQuestion([{ role: 'user', content: 'a' }], {})).toEqual({ messages: [{ role: 'user', content: 'a' }] });
  });

  it('of system messages alone is asked as the user', () => {
    const messages = [
      { role: 'system', content: 'a' },
      { role: 'developer', content: 'b' },
    ];
    expect(toModelQuestion(messages, {})).toEqual({ messages: [{ role: 'user', content: 'a\n\nb' }] });
  });

  it('takes whoever is no assistant for the user', () => {
    const roles = ['assistant', 'agent', 'ai', 'tool', 'narrator', 'human'];
    const { messages } = toModelQuestion(
      roles.map((role) => ({ role, content: role })),
      {},
    );
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'assistant', 'assistant', 'user', 'user', 'user']);
  });

  it('cannot be sent with a file in it', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'file', file_id: 'f' },
    ];
    expect(() => toModelQuestion([{ role: 'user', content }], {})).toThrow('a part of type "file", which cannot be sent');
  });
});
