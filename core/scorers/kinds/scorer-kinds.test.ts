import { describe, expect, it } from 'vitest';
import { silent } from '../../../test/setup/silent.ts';
import { defineScorerKind, type ScorerKindPlugin, z } from '../../plugin-sdk/index.ts';
import { ScorerKinds } from './scorer-kinds.ts';

const kind = (id: string, parts: Partial<ScorerKindPlugin> = {}): ScorerKindPlugin =>
  defineScorerKind({
    id,
    sdk: 1,
    stability: 'stable',
    label: id,
    summary: 'A kind of the tests.',
    definition: z.strictObject({ size: z.int().default(3), name: z.string().optional() }),
    create: () => ({ score: async () => [] }),
    ...parts,
  });

describe('ScorerKinds', () => {
  it('finds a kind by its id and its aliases, and names it by the first alias', () => {
    const kinds = new ScorerKinds([kind('judge', { aliases: ['llm', 'model'] }), kind('plain')], silent);
    expect(kinds.types).toEqual(['judge', 'llm', 'model', 'plain']);
    expect(kinds.findByType('model')?.id).toBe('judge');
    expect(['judge', 'model', 'plain', 'preset', 'gone'].map((type) => kinds.canonicalType(type))).toEqual([
      'llm',
      'llm',
      'plain',
      'preset',
      'gone',
    ]);
  });

  it.each([
    ['an alias that is the id of another kind', [kind('a', { aliases: ['b'] }), kind('b')], 'scorer type "b" is taken'],
    ['an alias of two kinds', [kind('a', { aliases: ['c'] }), kind('b', { aliases: ['c'] })], 'scorer type "c" is taken'],
    ['a path of two kinds', [kind('a', { former_paths: ['b'] }), kind('b')], 'path "b" is taken'],
    ['the type of presets', [kind('preset')], 'scorer type "preset" is reserved'],
    ['the path of presets', [kind('a', { former_paths: ['preset'] })], 'path "preset" is reserved'],
  ])('refuses %s', (_, plugins, says) => {
    expect(() => new ScorerKinds(plugins, silent)).toThrow(says);
  });

  it('reads a definition with null for what is absent, without unknown fields', () => {
    const plugin = kind('a');
    const kinds = new ScorerKinds([plugin], silent);
    expect(kinds.parse(plugin, { size: null, name: null, more: 1 })).toEqual({ definition: { size: 3 } });
    expect(kinds.parse(plugin, { size: 'x' }).issues).toMatchObject([{ path: ['size'] }]);
  });

  it('takes a schema that throws for one that refuses, and logs it', () => {
    const definition = z.object({}).refine(() => {
      throw new TypeError('a defect');
    });
    const logged: string[] = [];
    const plugin = kind('a', { definition });
    const kinds = new ScorerKinds([plugin], { ...silent, error: (message) => void logged.push(message) });
    expect(kinds.parse(plugin, {}).issues).toHaveLength(1);
    expect(logged).toEqual(['the schema of a scorer kind failed']);
  });
});
