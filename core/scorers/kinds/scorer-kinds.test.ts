import { describe, expect, it } from 'vitest';
import { silent } from '../../../test/setup/silent.ts';
import { defineScorerKind, type ScorerKindPlugin, type ScorerView, z } from '../../plugin-sdk/index.ts';
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

const fieldsOf = (name: string) => {
  const schema = z.object({ [name]: z.object({ size: z.int() }) });
  return { short: schema, full: schema.extend({ [`more_${name}`]: z.string() }) };
};
const viewIn = (name: string): ScorerView => ({ fields: fieldsOf(name), show: () => ({}) });
const version = {
  id: 'v',
  name: 'mine',
  is_preset: false,
  scoreable_node_types: null,
  multimodal_capabilities: [],
  created_by: null,
  created_at: '',
  updated_at: '',
};

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
    ['a field that all versions have', [kind('a', { view: viewIn('model_name') })], 'version field "model_name" is reserved'],
    ['a field of two kinds', [kind('a', { view: viewIn('b') }), kind('b', { view: viewIn('b') })], 'version field "b" is taken'],
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

  describe('shows versions', () => {
    const blank = { of_other: null };
    const show = (view: ScorerView | undefined, form: 'short' | 'full' = 'short') => {
      const logged: string[] = [];
      const plugins = [kind('a', view && { view }), kind('other', { view: viewIn('of_other') })];
      const kinds = new ScorerKinds(plugins, { ...silent, error: (message) => void logged.push(message) });
      return { shown: kinds.show('a', { size: 3 }, version, form), logged };
    };

    it('by their whole definition where the kind says nothing, and where it is not installed', () => {
      const whole = { definition: { size: 3 }, ...blank };
      expect(show(undefined).shown).toEqual(whole);
      expect(
        new ScorerKinds([kind('other', { view: viewIn('of_other') })], silent).show('gone', { size: 3 }, version, 'short'),
      ).toEqual(whole);
    });

    it('by what the kind shows, in place of the definition', () => {
      const view = {
        show: ({ size }: { size: number }, { name }: { name: string }) => ({ doubled: size * 2, name }),
      } as ScorerView;
      expect(show(view).shown).toEqual({ definition: { doubled: 6, name: 'mine' }, ...blank });
    });

    it('in fields of the kind, where a version is read by itself in more of them', () => {
      const view: ScorerView = { fields: fieldsOf('of_a'), show: () => ({ of_a: { size: 3, left_out: 1 }, more_of_a: 'x' }) };
      expect(show(view).shown).toEqual({ definition: null, ...blank, of_a: { size: 3 } });
      expect(show(view, 'full').shown).toEqual({
        definition: null,
        ...blank,
        more_of_other: null,
        of_a: { size: 3 },
        more_of_a: 'x',
      });
      const nothing: ScorerView = { fields: fieldsOf('of_a'), show: () => ({}) };
      expect(show(nothing).shown).toEqual({ definition: null, ...blank, of_a: null });
    });

    const throwing = (): never => {
      throw new TypeError('a defect');
    };
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    it.each<[string, ScorerView]>([
      ['throws', { show: throwing }],
      ['gives what JSON cannot hold', { show: () => circular }],
      ['gives no object', { show: () => 3 as never }],
      ['gives another shape than it declared', { fields: fieldsOf('of_a'), show: () => ({ of_a: { size: 'three' } }) }],
    ])('by their definition, and says so in the log, where a kind %s', (_, view) => {
      const { shown, logged } = show(view);
      expect(shown).toMatchObject({ definition: { size: 3 } });
      expect(shown.of_a ?? null).toBeNull();
      expect(logged).toEqual(['a scorer kind failed to show a version']);
    });
  });
});
