import { describe, expect, it } from 'vitest';
import { toSnippet } from './snippet.ts';

const record = (facts: object) => ({ name: '', input: '', output: null, ...facts });

describe('a snippet', () => {
  it('is what stands around the first term, on one line', () => {
    const input = `${'a '.repeat(100)}the Refund\nis late${' b'.repeat(200)}`;
    const found = toSnippet(record({ input }), ['refund']);
    expect(found?.field).toBe('input');
    expect(found?.text).toMatch(/^…a .*the Refund is late b .*…$/);
    expect(found!.text.length).toBeLessThan(210);
  });

  it('is of the output, of messages and of the name as well', () => {
    const messages = [{ role: 'user', content: '我要退款' }];
    expect(toSnippet(record({ input: messages }), ['退款'])).toEqual({ field: 'input', text: '我要退款' });
    expect(toSnippet(record({ output: 'Done.' }), ['done'])).toEqual({ field: 'output', text: 'Done.' });
    expect(toSnippet(record({ name: 'plan' }), ['plan'])).toEqual({ field: 'name', text: 'plan' });
  });

  it('cuts no character into halves, and is nothing where the record says none of the terms', () => {
    const found = toSnippet(record({ input: `${'😀'.repeat(100)}x${'😀'.repeat(100)}` }), ['x']);
    expect(found!.text.isWellFormed()).toBe(true);
    expect(toSnippet(record({ input: 'a' }), ['b'])).toBeUndefined();
  });
});
