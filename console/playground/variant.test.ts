import { describe, expect, it } from 'vitest';
import { newVariant, toRequest } from './variant.ts';

describe('a variant of the playground', () => {
  it('is sent as typed: a text, or messages, with what was chosen of the settings', () => {
    expect(toRequest(newVariant('hello {{name}}'))).toEqual({ template: 'hello {{name}}', settings: {} });
    const messages = [{ role: 'user', content: 'hello' }];
    const typed = { ...newVariant(JSON.stringify(messages), ' small '), temperature: '0.5' };
    expect(toRequest(typed)).toEqual({ template: messages, settings: { model_alias: 'small', temperature: 0.5 } });
  });

  it('without a text, or with words for a number, says so', () => {
    expect(() => toRequest(newVariant(' '))).toThrow('no prompt text');
    expect(() => toRequest({ ...newVariant('a'), temperature: 'warm' })).toThrow('"warm" is not a number');
  });
});
