import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputType } from './output-type.ts';
import type { ScoreRole } from './score-role.ts';
import { labelKey } from './score-text.ts';
import { readScoreValue } from './score-value.ts';

const UNREADABLE = Symbol('unreadable');
const ABSENT = Symbol('absent');

function reading(output_type: OutputType, given: unknown, role: ScoreRole): unknown {
  const read = readScoreValue(output_type, given, role);
  if (read.kind === 'value') return read.value;
  return read.kind === 'absent' ? ABSENT : UNREADABLE;
}
const truth = (output_type: OutputType, given: unknown) => reading(output_type, given, 'truth');
const score = (output_type: OutputType, given: unknown) => reading(output_type, given, 'score');

describe('nothing', () => {
  it.each(OutputType.options)('is a null or an empty text, for a truth of %s', (type) => {
    for (const given of [null, undefined, '', '  \t\n']) expect(truth(type, given)).toBe(ABSENT);
  });

  it.each(['boolean', 'count', 'discrete', 'percentage'] as const)('is a word for it, for a truth of %s', (type) => {
    for (const given of ['null', 'None', 'N/A', ' NaN ', '"none"', '""']) expect(truth(type, given)).toBe(ABSENT);
  });

  it('is said by no word where the word may be a class', () => {
    expect(truth('categorical', 'none')).toBe('none');
    expect(truth('multilabel', 'none')).toEqual(['none']);
  });

  it('was not said by a scorer that answered with an empty text', () => {
    expect(score('boolean', '')).toBe(UNREADABLE);
    expect(score('categorical', ' ')).toBe(UNREADABLE);
    expect(score('count', 'n/a')).toBe(UNREADABLE);
    expect(score('count', null)).toBe(ABSENT);
  });
});

describe('boolean', () => {
  it.each(['true', 'T', 'Yes', 'y', '1', '1.0', ' TRUE ', '"true"', true, 1])('%j is true', (given) => {
    expect(truth('boolean', given)).toBe(true);
    expect(score('boolean', given)).toBe(true);
  });

  it.each(['false', 'F', 'No', 'n', '0', '0.0', false, 0])('%j is false', (given) => {
    expect(truth('boolean', given)).toBe(false);
    expect(score('boolean', given)).toBe(false);
  });

  it.each(['maybe', 'unsure', '2', '01', 2, -1, [[true]], { true: true }, '[true]'])('%j cannot be read', (given) => {
    expect(truth('boolean', given)).toBe(UNREADABLE);
    expect(score('boolean', given)).toBe(UNREADABLE);
  });

  it.each([
    [0.51, true],
    [0.5, false],
    [0.01, false],
    ['0.7', true],
  ])('%j is a share of judges in a score, and no truth', (given, expected) => {
    expect(score('boolean', given)).toBe(expected);
    expect(truth('boolean', given)).toBe(UNREADABLE);
  });
});

describe('categorical', () => {
  it.each([
    ['  Very Good ', 'Very Good'],
    ['"quoted"', 'quoted'],
    ['"a \\"b\\""', 'a "b"'],
    ['"back\\slash"', 'back\\slash'],
    ['"a" and "b"', '"a" and "b"'],
    ['[x]', '[x]'],
    ['e\u0301', '\u00e9'],
    [3, '3'],
    [true, 'true'],
    ['__proto__', '__proto__'],
  ])('%j is the class %j', (given, expected) => {
    expect(truth('categorical', given)).toBe(expected);
    expect(score('categorical', given)).toBe(expected);
  });

  it('classes are the same whatever their case and inner blanks', () => {
    expect(labelKey('Very \t Good')).toBe(labelKey('very good'));
    expect(labelKey('verygood')).not.toBe(labelKey('very good'));
  });

  it.each([[['a']], [{ a: 1 }]])('%j cannot be read', (given) => {
    expect(truth('categorical', given)).toBe(UNREADABLE);
  });
});

describe('numbers', () => {
  it.each([
    ['3', 3],
    ['3.0', 3],
    ['+3', 3],
    ['1e3', 1000],
    ['-0', 0],
    ['123456789012345', 123456789012345],
    ['1000000000000000000', 1e18],
    [7, 7],
  ])('%j is a count of %d', (given, expected) => {
    expect(truth('count', given)).toBe(expected);
    expect(score('count', given)).toBe(expected);
  });

  it.each(['-1', '3,000', '3 000', '1.2.3', 'Infinity', '1e999', '0x10', '1234567890123456', '.', '+', '1_000', [[3]]])(
    '%j is no count',
    (given) => {
      expect(truth('count', given)).toBe(UNREADABLE);
      expect(score('count', given)).toBe(UNREADABLE);
    },
  );

  it('a score may be the mean of counts', () => {
    expect(score('count', 2.5)).toBe(2.5);
    expect(score('count', '2.5')).toBe(2.5);
    expect(truth('count', '2.5')).toBe(UNREADABLE);
    expect(truth('count', 2.5)).toBe(UNREADABLE);
  });

  it.each([
    ['-4', -4],
    ['+.5', 0.5],
    ['2.', 2],
    ['1E-2', 0.01],
    ['"4"', 4],
    ['0.00012345', 0.00012345],
  ])('%j is a rating of %d', (given, expected) => {
    expect(truth('discrete', given)).toBe(expected);
  });

  it('a number that is no number cannot be read', () => {
    expect(score('discrete', Number.NaN)).toBe(UNREADABLE);
    expect(score('percentage', Number.POSITIVE_INFINITY)).toBe(UNREADABLE);
    expect(score('discrete', true)).toBe(UNREADABLE);
  });

  it('a text of a million zeros is looked at in no time', () => {
    expect(truth('discrete', `${'0'.repeat(1_000_000)}1`)).toBe(UNREADABLE);
  });
});

describe('percentage', () => {
  it.each([
    ['85%', 0.85],
    ['85 %', 0.85],
    ['0.85', 0.85],
    ['85', 0.85],
    ['1', 1],
    ['1%', 0.01],
    ['100', 1],
    ['0', 0],
    ['0.5%', 0.005],
    [85, 0.85],
  ])('%j is %d', (given, expected) => {
    expect(truth('percentage', given)).toBe(expected);
  });

  it.each(['150%', '-5', '120', '%', '5%%', 'abc', 150, -1])('%j cannot be read', (given) => {
    expect(truth('percentage', given)).toBe(UNREADABLE);
  });

  it('a score that is a number is taken as it is, a text is read', () => {
    expect(score('percentage', 0.85)).toBe(0.85);
    expect(score('percentage', 1.2)).toBe(1.2);
    expect(score('percentage', '85%')).toBe(0.85);
  });
});

describe('multilabel', () => {
  it.each([
    ['["a","b"]', ['a', 'b']],
    [['a'], ['a']],
    ["['a', 'it\\'s', \"b\"]", ['a', "it's", 'b']],
    ['[a, b c]', ['a', 'b c']],
    ['a; c', ['a', 'c']],
    ['a, b; c', ['a, b', 'c']],
    ['a, b | c', ['a, b', 'c']],
    ['a, b', ['a', 'b']],
    ['b', ['b']],
    ['"a, b"', ['a, b']],
    ['[]', []],
    [[], []],
    ['[ ]', []],
    ['a;;  ;A; a ', ['a']],
    [
      ['Very  good', 'very GOOD', 3, true, '', null],
      ['Very  good', '3', 'true'],
    ],
    ['["__proto__","constructor"]', ['__proto__', 'constructor']],
    [3, ['3']],
  ])('%j is the set %j', (given, expected) => {
    expect(truth('multilabel', given)).toEqual(expected);
    expect(score('multilabel', given)).toEqual(expected);
  });

  it.each([[[['a']]], [{ a: true }], ['{"a":true}'], ['[["a"]]']])('%j cannot be read', (given) => {
    expect(truth('multilabel', given)).toBe(UNREADABLE);
  });
});

describe('boolean_multilabel', () => {
  it.each([
    ['{"a": true, "b": "no"}', { a: true, b: false }],
    [
      { a: 'yes', b: 0 },
      { a: true, b: false },
    ],
    ['a: true, b: false', { a: true, b: false }],
    ['a: b: yes; c: 0', { 'a: b': true, c: false }],
    ["{'a': True, 'b': False}", { a: true, b: false }],
    ['["a","b"]', { a: true, b: true }],
    ['a, b', { a: true, b: true }],
    ['[]', {}],
    ['{}', {}],
    [{ A: false, ' a ': true }, { A: true }],
  ])('%j says %j', (given, expected) => {
    expect(truth('boolean_multilabel', given)).toEqual(expected);
  });

  it.each([['{"a": "maybe"}'], [{ a: null }], ['{a, b}'], [[{ a: true }]]])('%j cannot be read', (given) => {
    expect(truth('boolean_multilabel', given)).toBe(UNREADABLE);
  });

  it('keeps names that objects have of their own', () => {
    const read = truth('boolean_multilabel', '{"__proto__": true}') as object;
    expect(Object.entries(read)).toEqual([['__proto__', true]]);
  });

  it('takes the share of judges per label in a score', () => {
    expect(score('boolean_multilabel', { a: 0.7, b: 0.2 })).toEqual({ a: true, b: false });
    expect(truth('boolean_multilabel', { a: 0.7 })).toBe(UNREADABLE);
  });
});

describe('retrieved_chunk_list_boolean', () => {
  it.each([
    ['[true,false,true]', [true, false, true]],
    ['1,0', [true, false]],
    ['yes; no', [true, false]],
    ['[True, False]', [true, false]],
    ['true', [true]],
    ['[]', []],
    [
      [1, 'no'],
      [true, false],
    ],
  ])('%j is the list %j', (given, expected) => {
    expect(truth('retrieved_chunk_list_boolean', given)).toEqual(expected);
  });

  it.each(['1,,0', '[1,2]', 'true|false', '{"a":true}', [[null]]])('%j cannot be read', (given) => {
    expect(truth('retrieved_chunk_list_boolean', given)).toBe(UNREADABLE);
  });
});

it('freeform is never read, yet may be absent', () => {
  expect(truth('freeform', 'a text')).toBe(UNREADABLE);
  expect(truth('freeform', '')).toBe(ABSENT);
});

it('reads whatever it is given without an error', () => {
  const given = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[[{'",;|:a1e.\-\\ \]}]{0,30}$/));
  fc.assert(
    fc.property(
      fc.constantFrom(...OutputType.options),
      given,
      fc.constantFrom<ScoreRole>('score', 'truth'),
      (type, value, role) => {
        expect(['absent', 'unreadable', 'value']).toContain(readScoreValue(type, value, role).kind);
      },
    ),
    { numRuns: 3000 },
  );
});

it('reads the text of a value as the value', () => {
  const labels = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 5 });
  fc.assert(
    fc.property(labels, fc.array(fc.boolean(), { maxLength: 8 }), (names, chunks) => {
      expect(truth('multilabel', JSON.stringify(names))).toEqual(names);
      expect(truth('retrieved_chunk_list_boolean', JSON.stringify(chunks))).toEqual(chunks);
    }),
  );
});
