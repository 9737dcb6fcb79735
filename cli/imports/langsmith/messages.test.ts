import { describe, expect, it } from 'vitest';
import { toMustache } from '../mustache.ts';
import { toInputMessages, toOutputMessages } from './messages.ts';

const question = [{ role: 'user', content: 'Hi?' }];
const answer = { role: 'assistant', content: 'Hello.' };

describe('messages of runs', () => {
  it.each([
    ['messages', { messages: [{ role: 'user', content: 'Hi?' }] }],
    ['a batch of one', { messages: [[{ role: 'human', content: 'Hi?' }]] }],
    ['constructors', { messages: [[{ lc: 1, type: 'constructor', id: ['x', 'HumanMessage'], kwargs: { content: 'Hi?' } }]] }],
    ['types with data', { messages: [{ type: 'human', data: { content: 'Hi?' } }] }],
    ['pairs', { messages: [['human', 'Hi?']] }],
    ['prompts', { prompts: ['Hi?'] }],
  ])('reads the question in %s', (_, inputs) => expect(toInputMessages(inputs)).toEqual(question));

  it('puts the text of the system first', () => {
    expect(toInputMessages({ system: 'Be kind.', messages: question })).toEqual([
      { role: 'system', content: 'Be kind.' },
      ...question,
    ]);
  });

  it.each([
    ['generations', { generations: [[{ text: 'Hello.' }]] }, [answer]],
    ['generations of chats', { generations: [[{ message: { type: 'ai', data: { content: 'Hello.' } } }]] }, [answer]],
    ['messages, of which the last is the answer', { messages: [...question, answer] }, [answer]],
    ['a message', { message: answer }, answer],
    ['a pair', { output: ['assistant', 'Hello.'] }, answer],
    ['choices, which are read later', { choices: [{ message: answer }] }, { choices: [{ message: answer }] }],
  ])('reads the answer in %s', (_, outputs, expected) => expect(toOutputMessages(outputs)).toEqual(expected));
});

describe('f-strings', () => {
  it.each([
    ['{name}', '{{name}}'],
    ['{{"a": 1}}', '{"a": 1}'],
    ['{price:.2f} {who!r}', '{{price}} {{who}}'],
    ['no variables', 'no variables'],
  ])('turns %s into %s', (given, expected) => expect(toMustache(given)).toBe(expected));
});
