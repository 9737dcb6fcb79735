import { describe, expect, it } from 'vitest';
import { parsePrompt, promptText } from './prompts.ts';

describe('a typed prompt', () => {
  it('is messages where it is JSON of messages, and a text otherwise', () => {
    const messages = [{ role: 'system', content: 'Be brief.' }];
    expect(parsePrompt(promptText(messages))).toEqual(messages);
    expect(parsePrompt('Say {{input}}')).toBe('Say {{input}}');
    expect(parsePrompt('[a list] of things')).toBe('[a list] of things');
    expect(parsePrompt('[1, 2]')).toBe('[1, 2]');
  });
});
