import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandSpan, MAPPING, RESOURCE } from '../../test/fixtures/otel/short-form.ts';
import type { JsonValue } from '../kernel/json.ts';
import { mapSpan } from './spans/map-span.ts';
import { cut, storable, storableText } from './storable.ts';

/** The same as `storable`, made anew throughout. */
function plainly(value: JsonValue): JsonValue {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(plainly);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [storableText(key), plainly(child as JsonValue)]));
}

const value = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: fc.constantFrom('a', '\0', '\uD800', '\uDC00', '😀', '_') }),
    fc.constantFrom<JsonValue>('__proto__', Number.NaN, 1.5, -0, true, null),
    fc.array(tie('any')),
    fc.dictionary(fc.constantFrom('a', 'b\0', 'b\uFFFD', '__proto__', '\uD800'), tie('any')) as fc.Arbitrary<JsonValue>,
  ),
})).any;

describe('what is stored', () => {
  it('is what a copy of every part would be, and the very same value where nothing differs', () => {
    fc.assert(
      fc.property(value, (given) => {
        const kept = storable(given);
        expect(JSON.stringify(kept)).toBe(JSON.stringify(plainly(given)));
        expect(storable(kept)).toBe(kept);
      }),
    );
  });

  it('has no NUL and no lone surrogates, keys included', () => {
    expect(storableText('a\0b\uD800c')).toBe('a\uFFFDb\uFFFDc');
    expect(storable({ 'k\0': ['\uDC00', { x: '\0' }] })).toEqual({ 'k\uFFFD': ['\uFFFD', { x: '\uFFFD' }] });
  });

  it('has no numbers that JSON does not have', () => {
    expect(storable([1.5, Number.NaN, Number.POSITIVE_INFINITY])).toEqual([1.5, null, null]);
  });

  it('is cut between characters, with a mark', () => {
    expect(cut('abcdef', 6)).toBe('abcdef');
    expect(cut('abcdefg', 6)).toBe('abcde…');
    expect(cut('abcd😀fg', 6)).toBe('abcd…');
  });

  it('of a span is clean wherever the span was not', () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm\0',
      'tag.tags': ['t\0'],
      'gen_ai.input.messages': '[{"role":"user","content":"\\u0000"}]',
      'x\0': '\uD800',
    };
    const span = expandSpan({ spanId: '00f067aa0ba902b7', name: 'n\0', status: { code: 2, message: 'e\0' }, attributes });
    const record = mapSpan(span, 's\0', RESOURCE, MAPPING);
    expect(record).toMatchObject({
      name: 'n\uFFFD',
      tags: ['t\uFFFD'],
      input: [{ content: '\uFFFD' }],
      attributes: { model: 'm\uFFFD' },
    });
    expect(record.user_metadata).toMatchObject({
      'x\uFFFD': '\uFFFD',
      'otel.scope.name': 's\uFFFD',
      'otel.status_message': 'e\uFFFD',
    });
  });

  it('of texts has a mebibyte at most, of names 1024 characters', () => {
    const span = expandSpan({ spanId: '00f067aa0ba902b7', name: 'n'.repeat(2000), attributes: { x: 'x'.repeat(2_000_000) } });
    const record = mapSpan(span, 'lib', RESOURCE, MAPPING);
    expect([record.name.length, record.user_metadata.x!.length]).toEqual([1024, 1_048_576]);
  });
});
