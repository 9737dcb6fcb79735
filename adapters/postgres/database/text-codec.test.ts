import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, decodeText, encodeJson, encodeText, mayNeedEscape } from './text-codec.ts';

/** Any UTF-16 units, with those that matter far more often than chance would have them. */
const unit = fc.oneof(
  fc.constantFrom('\0', '\uf8ff', '\uf8e0', '\uf8ef', '\ud83e', '\udd9c', '\u{1f99c}', '0', 'f', 'a', '\\', '"'),
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
);
const text = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
const tame = fc
  .array(fc.constantFrom('0', '8', 'f', 'a', 'b', 'ü', '\u{1f99c}'), { maxLength: 6 })
  .map((parts) => parts.join(''));

describe('encoded texts', () => {
  it('decode to what they were', () => {
    fc.assert(
      fc.property(text, (given) => decodeText(encodeText(given)) === given),
      { numRuns: 2_000 },
    );
  });

  it('hold nothing that PostgreSQL refuses or changes', () => {
    fc.assert(
      fc.property(text, (given) => {
        const encoded = encodeText(given);
        return encoded.isWellFormed() && !encoded.includes('\0');
      }),
      { numRuns: 2_000 },
    );
  });

  it('contain another exactly when the plain texts do', () => {
    fc.assert(
      fc.property(text, fc.oneof(tame, text), (given, needle) => {
        const halves = /^[\udc00-\udfff]|[\ud800-\udbff]$/;
        fc.pre(!halves.test(needle));
        expect(encodeText(given).includes(encodeText(needle))).toBe(given.includes(needle));
      }),
      { numRuns: 5_000 },
    );
  });

  it('are the texts themselves without anything to escape', () => {
    fc.assert(fc.property(tame, (given) => encodeText(given) === given && decodeText(given) === given));
  });

  it.each(['\uf8ff', '\uf8ff0000', '\uf8ff\uf8e0\uf8e0\uf8e0\uf8e0', '\ud83e', '\udd9c\ud83e', 'a\0b'])(
    'keep %j apart from an escape',
    (given) => {
      expect(encodeText(given)).not.toBe(given);
      expect(decodeText(encodeText(given))).toBe(given);
    },
  );
});

describe('encoded JSON', () => {
  it('decodes to what it was, keys included', () => {
    const value = fc.tuple(fc.jsonValue(), fc.dictionary(text, text, { noNullPrototype: true }));
    fc.assert(fc.property(value, (given) => void expect(decodeJson(encodeJson(given))).toStrictEqual(structuredClone(given))));
  });

  it('keeps a key named __proto__', () => {
    const given = JSON.parse('{"__proto__": {"\\u0000": "\\ud800"}, "b": [null, 1, true]}');
    expect(JSON.stringify(decodeJson(encodeJson(given)))).toBe(JSON.stringify(given));
  });

  it('is asked for wherever a text would change', () => {
    fc.assert(
      fc.property(text, (given) => {
        if (encodeText(given) !== given) expect(mayNeedEscape(JSON.stringify({ [given]: 1 }))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
