import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asMapByPresetName, asPresetName, asWord } from '../../core/kernel/vocabulary.ts';
import { PRESETS } from '../../test/setup/built-in-kinds.ts';
import { respelt } from './schema-words.ts';
import { WordAliases } from './word-aliases.ts';

const aliases = { small: 'finetuned', tuned_scorer: 'finetuned_scorer', door: 'gateway', _small: '_finetuned' };
const words = new WordAliases(
  aliases,
  [],
  PRESETS.map(({ name }) => name),
);
const ALIASES = Object.keys(aliases);
const asked = { locals: { usesAliases: true } } as unknown as Parameters<WordAliases['outward']>[2];
const quiet = { locals: { usesAliases: false } } as unknown as Parameters<WordAliases['outward']>[2];

const Node: z.ZodType = z.lazy(() =>
  z.union([z.object({ leaf: Leaf }), z.object({ and: z.array(Node) }), z.object({ not: Node })]),
);
const Leaf = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('finetuned'), value: z.string() }),
  z.object({ kind: z.literal('text'), value: z.union([z.string(), z.array(z.string())]) }),
]);
const Sent = z.object({
  scorer_type: z.enum(['llm', 'finetuned', 'preset']),
  finetuned_scorer: z.object({ provider: asWord(z.string()), executor: asPresetName(z.string()).nullish() }).nullish(),
  list: z.array(z.enum(['gateway', 'azure'])).default([]),
  metric_info: asMapByPresetName(z.custom<object>()).nullish(),
  tree: Node.nullish(),
  either: z.union([z.enum(['gateway']), z.number(), z.object({ name: z.string() })]).nullish(),
  metadata: z.record(z.string(), z.unknown()),
  input: z.unknown(),
  text: z.string(),
});

/** Texts of users, which like to look as words do. */
const text = fc.oneof(
  fc.constantFrom(...ALIASES, ...Object.values(aliases), 'input_pii_small', 'input_pii_finetuned'),
  fc.string(),
);
const data = fc.object({ key: text, values: [text, fc.integer(), fc.constant(null)], maxDepth: 3 });
const leaf = fc.oneof(
  fc.record({ kind: fc.constant('finetuned'), value: text }),
  fc.record({ kind: fc.constant('text'), value: fc.oneof(text, fc.array(text, { maxLength: 3 })) }),
);
const { node } = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'node' },
    fc.record({ leaf }),
    fc.record({ and: fc.array(tie('node'), { maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
}));
const sent = fc.record(
  {
    scorer_type: fc.constantFrom('llm', 'finetuned', 'preset'),
    finetuned_scorer: fc.option(
      fc.record({
        provider: fc.constantFrom('gateway', 'azure'),
        executor: fc.constantFrom('input_pii_finetuned', 'own_finetuned'),
      }),
    ),
    list: fc.array(fc.constantFrom('gateway', 'azure'), { maxLength: 3 }),
    metric_info: fc.dictionary(fc.constantFrom('input_pii_finetuned', 'own_finetuned', 'correctness'), data, { maxKeys: 3 }),
    tree: fc.option(node),
    either: fc.oneof(fc.constant('gateway'), fc.integer(), fc.record({ name: text })),
    metadata: data,
    input: data,
    text,
  },
  { requiredKeys: ['scorer_type', 'metadata', 'input', 'text'] },
);

describe('words in the spelling of a client', () => {
  it('are read as what they stand for, and written back as they were sent', () => {
    fc.assert(
      fc.property(sent, (value) => {
        const shown = words.outward(Sent, value, asked);
        expect(words.inward(Sent, shown)).toEqual(value);
        expect(words.inward(Sent, value)).toEqual(value);
        expect(Sent.safeParse(words.inward(Sent, shown)).success).toBe(Sent.safeParse(value).success);
        expect(words.outward(Sent, value, quiet)).toBe(value);
      }),
    );
  });

  it('stand where the schema has words and nowhere else', () => {
    fc.assert(
      fc.property(sent, (value) => {
        const shown = words.outward(Sent, value, asked) as Record<string, unknown>;
        for (const field of ['metadata', 'input', 'text'] as const) expect(shown[field]).toBe(value[field]);
        expect(shown.scorer_type).toBe(value.scorer_type === 'finetuned' ? 'small' : value.scorer_type);
        const { finetuned_scorer: scorer } = value;
        if (scorer === undefined) expect(shown).not.toHaveProperty('tuned_scorer');
        else {
          const executor = scorer?.executor === 'input_pii_finetuned' ? 'input_pii_small' : scorer?.executor;
          const provider = scorer?.provider === 'gateway' ? 'door' : scorer?.provider;
          expect(shown.tuned_scorer).toEqual(scorer && { provider, executor });
          expect(shown).not.toHaveProperty('finetuned_scorer');
        }
        const keys = Object.keys(value.metric_info ?? {}).map((key) => key.replace(/^input_pii_finetuned$/, 'input_pii_small'));
        expect(Object.keys((shown.metric_info ?? {}) as object)).toEqual(keys);
        expect(Object.values((shown.metric_info ?? {}) as object)).toEqual(Object.values(value.metric_info ?? {}));
      }),
    );
  });
});

it('a field that is there by both names keeps its own, and the other is an unknown one', () => {
  const both = { scorer_type: 'llm', finetuned_scorer: null, tuned_scorer: { provider: 'x' }, metadata: {}, text: '' };
  expect(words.inward(Sent, both)).toBe(both);
});

it('a value of the schema is never taken for an alias of another one', () => {
  const own = new WordAliases({ llm: 'finetuned', text: 'input' });
  const value = { scorer_type: 'llm', metadata: {}, text: 'x' };
  expect(own.inward(Sent, value)).toBe(value);
});

it('without aliases nothing is looked at', () => {
  const none = new WordAliases({});
  const trap = new Proxy({}, { ownKeys: () => expect.unreachable('was looked at'), get: () => expect.unreachable('was read') });
  expect(none.inward(Sent, trap)).toBe(trap);
  expect(none.outward(Sent, trap, quiet)).toBe(trap);
});

it('every part of a value is looked at a bounded number of times, however deep unions are nested', () => {
  const looks = (depth: number): number => {
    let count = 0;
    const counting = (inner: object): object =>
      new Proxy(inner, {
        get: (of, key) => {
          count += 1;
          return Reflect.get(of, key);
        },
      });
    let tree: object = counting({ leaf: counting({ kind: 'small', value: 'x' }) });
    for (let at = 0; at < depth; at += 1) tree = counting({ not: tree });
    const { word, spellings } = { word: (one: string) => (one === 'small' ? 'finetuned' : undefined), spellings: () => [] };
    respelt(Node, tree, { direction: 'in', word, presetName: () => undefined, spellings });
    return count;
  };
  const [shallow, deep] = [looks(50), looks(100)];
  expect(deep).toBeLessThan(2.2 * shallow);
});
