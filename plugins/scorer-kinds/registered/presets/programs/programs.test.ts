import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../../../test/setup/timing.ts';
import { scorer as bleu } from './bleu.ts';
import { scorer as contains } from './contains.ts';
import { scorer as contextPrecision } from './context-precision.ts';
import { scorer as exactMatch } from './exact-match.ts';
import { scorer as inputPii } from './input-pii.ts';
import { scorer as jsonDiff } from './json-diff.ts';
import { scorer as jsonSchemaValid } from './json-schema-valid.ts';
import { scorer as jsonValid } from './json-valid.ts';
import { scorer as latency } from './latency.ts';
import { scorer as length } from './length.ts';
import { scorer as levenshteinRatio } from './levenshtein-ratio.ts';
import { scorer as numericDiff } from './numeric-diff.ts';
import { scorer as precisionAtK } from './precision-at-k.ts';
import { scorer as promptPerplexity } from './prompt-perplexity.ts';
import { scorer as regex } from './regex.ts';
import { scorer as rouge } from './rouge.ts';
import { scorer as rougeN } from './rouge-n.ts';
import { scorer as sentenceCount } from './sentence-count.ts';
import { scorer as startsWith } from './starts-with.ts';
import { scorer as toolArgumentsValid } from './tool-arguments-valid.ts';
import { scorer as toolLoops } from './tool-loops.ts';
import { scorer as toolOrder } from './tool-order.ts';
import { scorer as toolStatusError } from './tool-status-error.ts';
import { scorer as turns } from './turns.ts';
import { scorer as uncertainty } from './uncertainty.ts';
import { scorer as wordCount } from './word-count.ts';

const pair = (ground_truth: string, output: string | null) => [{ output }, { ground_truth }] as const;

describe('trajectories', () => {
  const tool = (name: string, input: unknown = '') => ({ type: 'tool', name, input });

  it('are held against the tools that are expected, in their order', () => {
    const spans = [tool('search'), { type: 'llm', name: 'pay', input: '' }, tool('open'), tool('buy')];
    expect(toolOrder({}, { ground_truth: '["search", "buy"]', spans })).toBe(1);
    expect(toolOrder({}, { ground_truth: 'buy, search', spans })).toBe(0.5);
    expect(toolOrder({}, { ground_truth: 'pay', spans })).toBe(0);
  });

  it('have loops where a call repeats the one before', () => {
    const spans = [tool('a', '1'), tool('a', '1'), tool('a', '2'), tool('b', '2'), tool('b', '2'), tool('b', '2')];
    expect(toolLoops({}, { spans })).toBe(3);
  });

  it('have arguments that fit what the model was offered', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };
    const tools = [{ type: 'function', function: { name: 'count', parameters: schema } }];
    const spans = [
      { type: 'llm', name: '', input: '', tools },
      tool('count', '{"n": 1}'),
      tool('count', { n: 'one' }),
      tool('count', '{}'),
      tool('count', '{"n": 1, "m": 2}'),
      tool('count', 'no JSON'),
      tool('unknown', '{}'),
    ];
    expect(toolArgumentsValid({}, { spans })).toBe(0.2);
    expect(() => toolArgumentsValid({}, { spans: [] })).toThrow('no tool was called');
  });

  it('of a session have a turn for each trace', () => {
    expect(turns({}, { traces: [{}, {}] })).toBe(2);
  });
});

describe('texts beside a reference', () => {
  it('are the same, contain it, begin with it, match it', () => {
    expect(exactMatch(...pair('caf\u00e9', ' cafe\u0301\n'))).toBe(true);
    expect(exactMatch(...pair('Café', 'café'))).toBe(false);
    expect(contains(...pair('b', 'abc'))).toBe(true);
    expect(startsWith(...pair('b', 'abc'))).toBe(false);
    expect(regex(...pair('^\\p{Lu}\\w+!$', 'Hello!'))).toBe(true);
    expect(contains(...pair('x', null))).toBe(false);
  });

  it('need one', () => {
    for (const scorer of [
      exactMatch,
      contains,
      startsWith,
      regex,
      bleu,
      rouge,
      rougeN,
      levenshteinRatio,
      numericDiff,
      jsonDiff,
    ]) {
      expect(() => scorer({ output: 'x' }, { ground_truth: null })).toThrow('the record has no ground truth');
    }
  });

  it('differ by characters', () => {
    expect(levenshteinRatio(...pair('kitten', 'sitting'))).toBeCloseTo(0.571429, 6);
    expect(levenshteinRatio(...pair('', null))).toBe(1);
    expect(levenshteinRatio(...pair('🦜', '🦚'))).toBe(0);
  });

  it('differ by words, as BLEU-4 has it', () => {
    expect(bleu(...pair('the cat is on the mat', 'the cat is on a mat'))).toBeCloseTo(0.537285, 6);
    expect(bleu(...pair('the cat is on the mat', 'the cat sat on the mat'))).toBe(0);
    expect(bleu(...pair('a b c d e', 'a b c d e'))).toBe(1);
    expect(bleu(...pair('a b c d e', ''))).toBe(0);
    expect(bleu(...pair('a b c d e f', 'a b c d e'))).toBeCloseTo(Math.exp(1 - 6 / 5), 12);
  });

  it('differ by words, as ROUGE has it', () => {
    expect(rouge(...pair('the cat is on the mat', 'the cat sat on the mat'))).toBeCloseTo(0.833333, 6);
    expect(rouge(...pair('police killed the gunman', 'the gunman killed police'))).toBe(0.5);
    expect(rougeN(...pair('the cat is on the mat', 'the cat sat on the mat'))).toBeCloseTo(0.6, 12);
    expect(rougeN(...pair('a', 'a'))).toBe(0);
  });

  it('are as alike one way as the other', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'é', '🦜');
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, (one, other) => {
        for (const scorer of [levenshteinRatio, rouge, rougeN]) {
          const likeness = scorer(...pair(one, other));
          expect(likeness).toBe(scorer(...pair(other, one)));
          expect(likeness >= 0 && likeness <= 1).toBe(true);
        }
        expect(levenshteinRatio(...pair(one, other)) === 1).toBe(one === other);
      }),
    );
  });
});

describe('numbers and JSON', () => {
  it('are near each other', () => {
    expect(numericDiff(...pair('3', '1'))).toBe(0.5);
    expect(numericDiff(...pair('0', '0.0'))).toBe(1);
    expect(numericDiff(...pair('3', 'three'))).toBe(0);
    expect(() => numericDiff(...pair('three', '3'))).toThrow('the ground truth is no number');
  });

  it('are JSON, also a bare number', () => {
    expect([jsonValid({ output: '1' }), jsonValid({ output: '{"a":' }), jsonValid({ output: null })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('are alike key by key', () => {
    expect(jsonDiff(...pair('{"a":1,"b":"kitten"}', '{"a":3,"b":"sitting"}'))).toBeCloseTo((0.5 + 4 / 7) / 2, 12);
    expect(jsonDiff(...pair('[1,2]', '[1,2,3]'))).toBeCloseTo(2 / 3, 12);
    expect(jsonDiff(...pair('{}', '{}'))).toBe(1);
    expect(jsonDiff(...pair('{"a":[]}', '{"a":{}}'))).toBe(0);
    expect(jsonDiff(...pair('true', '"true"'))).toBe(0);
    expect(jsonDiff(...pair('{}', 'no JSON'))).toBe(0);
    expect(jsonDiff(...pair('{"__proto__":1}', '{"__proto__":1}'))).toBe(1);
  });

  it.each<[object | boolean, unknown, boolean]>([
    [{ type: 'object', required: ['a'], properties: { a: { type: 'integer' } }, additionalProperties: false }, { a: 1 }, true],
    [
      { type: 'object', required: ['a'], properties: { a: { type: 'integer' } }, additionalProperties: false },
      { a: 1, b: 2 },
      false,
    ],
    [{ properties: { a: { type: 'integer' } } }, { a: 1.5 }, false],
    [{ required: ['toString'] }, {}, false],
    [{ type: ['string', 'null'], maxLength: 2 }, '🦜🦜', true],
    [{ type: 'array', items: { enum: [1, { a: [2] }] }, uniqueItems: true, minItems: 2 }, [1, { a: [2] }], true],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [{ oneOf: [{ minimum: 3 }, { multipleOf: 2 }] }, 4, false],
    [{ oneOf: [{ minimum: 3 }, { multipleOf: 2 }] }, 3, true],
    [{ not: { pattern: '^a' }, title: 'x', format: 'email' }, 'abc', false],
    [false, 1, false],
  ])('match a schema: %j for %j is %s', (schema, value, matches) => {
    expect(jsonSchemaValid(...pair(JSON.stringify(schema), JSON.stringify(value)))).toBe(matches);
  });

  it('match no schema that has keywords nobody knows, and no schema when they are no JSON', () => {
    expect(() => jsonSchemaValid(...pair('{"$ref":"#/x"}', '1'))).toThrow('"$ref"');
    expect(jsonSchemaValid(...pair('{}', '{'))).toBe(false);
  });
});

describe('counts', () => {
  it('count characters, words and sentences', () => {
    expect(length({ output: 'héllo' })).toBe(5);
    expect(length({ output: '🦜' })).toBe(1);
    expect(wordCount({ output: "It's a well-known\nfact: 3.5 km." })).toBe(7);
    expect(sentenceCount({ output: 'One. Two?! Three…\n\nFour' })).toBe(4);
    expect(sentenceCount({ output: '第一。第二。' })).toBe(2);
    expect([length({ output: null }), wordCount({ output: null }), sentenceCount({ output: null })]).toEqual([0, 0, 0]);
  });
});

describe('ranked chunks', () => {
  const required = (chunk_relevance: boolean[] | null) => [{}, { required: { chunk_relevance } }] as const;
  const ranks = (text: string) => required([...text].map((rank) => rank === '1'));
  it('are precise', () => {
    expect(contextPrecision(...ranks('10110'))).toBeCloseTo(0.805556, 6);
    expect(contextPrecision(...ranks('000'))).toBe(0);
    expect(precisionAtK(...ranks('101'))).toBeCloseTo(0.666667, 6);
    expect(precisionAtK(...ranks('1'))).toBeCloseTo(1 / 3, 12);
    expect(() => contextPrecision(...required(null))).toThrow('no value of the scorer chunk_relevance');
  });
});

describe('personal data', () => {
  it.each<[string, string[]]>([
    ['Write to ada.lovelace@example.org or call +44 20 7946 0958.', ['email', 'phone_number']],
    ['Card 4111 1111 1111 1111, not 4111 1111 1111 1112', ['credit_card']],
    ['4111 1111 1111 1112', []],
    ['IBAN DE89 3704 0044 0532 0130 00', ['bank_account']],
    ['IBAN DE88 3704 0044 0532 0130 00', []],
    ['078-05-1120 from 192.168.0.1', ['national_id', 'ip_address']],
    ['Version 1.2.3, built 2026-11-21 at 10:30, order 20261121, pi 3.14159', []],
  ])('in %j is %j', (input, kinds) => {
    expect(inputPii({ input })).toEqual(kinds);
  });

  it('is looked for in time that grows with the text', () => {
    for (const unit of ['a@', 'a.', '1 ', '1', '+1 ', 'DE89 3704 ', 'a']) {
      const input = unit.repeat(20_000);
      expect(processorMs(() => inputPii({ input }))).toBeLessThan(1000);
    }
  });
});

describe('what records measure', () => {
  it('is read from them', () => {
    expect(latency({ metrics: { duration_ns: 1_500_000 } })).toBe(1.5);
    expect(() => latency({ metrics: {} })).toThrow('the record has no duration');
    expect([toolStatusError({ status_code: 404 }), toolStatusError({ status_code: 200 })]).toEqual([true, false]);
    const logprobs = [Math.log(0.5), Math.log(0.5)];
    expect(uncertainty({ metrics: { output_token_logprobs: logprobs } })).toBeCloseTo(0.5, 12);
    expect(promptPerplexity({ metrics: { prompt_token_logprobs: logprobs } })).toBeCloseTo(2, 12);
  });
});
