import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLASS, parsePython } from './python-notation.ts';

/** As Python writes it. */
function repr(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    const escaped = value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\0', '\\x00');
    return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
  }
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  return `{${Object.entries(value as object)
    .map(([key, one]) => `${repr(key)}: ${repr(one)}`)
    .join(', ')}}`;
}

describe('the notation of Python', () => {
  it('is read back to the values that were written', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'binary' }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('fields'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      fields: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(value, (given) => {
        expect(JSON.stringify(parsePython(repr(given)))).toBe(JSON.stringify(given));
      }),
    );
  });

  it('has objects of classes, enumerations, tuples, sets, and things that show no value', () => {
    const text = `Message(role=<Role.USER: 'user'>, parts=[Text('a', n=1.5)], f=<function f at 0x7f>, t=(1, None), s={1, 2},)`;
    expect(JSON.parse(JSON.stringify(parsePython(text)))).toEqual({
      role: 'user',
      parts: [{ 0: 'a', n: 1.5, [CLASS]: 'Text' }],
      f: null,
      t: [1, null],
      s: [1, 2],
      [CLASS]: 'Message',
    });
    expect(parsePython(`'\\u00e9\\x41\\U0001f600\\t"'`)).toBe('éA😀\t"');
  });

  it.each([
    '',
    'a b',
    '[1',
    "'a",
    '{1: }',
    'Message(a=1',
    "'a'...",
    '<x',
    "'\\q'",
    "'\\x4'",
    "'\\U00110000'",
    'lambda: 1',
    '[1 2]',
  ])('is not %j', (text) => {
    expect(parsePython(text)).toBeUndefined();
  });

  it('is not read where it is nested too deep or names what objects inherit', () => {
    expect(parsePython('['.repeat(100_000))).toBeUndefined();
    expect(parsePython(`${'['.repeat(70)}${']'.repeat(70)}`)).toBeUndefined();
    expect(parsePython('constructor')).toBeUndefined();
    expect(Object.getPrototypeOf(parsePython("{'__proto__': 1}"))).toBeNull();
  });

  it('is read in a time that grows with the text alone', () => {
    for (const text of [
      `'${'\\\\'.repeat(400_000)}'`,
      `[${"'a',".repeat(90_000)}]`,
      '<'.repeat(200_000),
      `'${'"'.repeat(500_000)}`,
    ])
      parsePython(text);
  });
});
