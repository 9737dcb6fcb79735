import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sha256 } from '../../../core/kernel/digest.ts';
import type { Transactions } from '../../../core/kernel/ports.ts';
import type { Preset } from '../../../core/scorers/presets/preset.ts';
import { PresetSeeding, presetId } from '../../../core/scorers/presets/preset-seeding.ts';
import type { ScorerStore } from '../../../core/scorers/scorer-store.ts';
import { builtInKinds } from '../../setup/built-in-kinds.ts';
import type { Opened } from '../opened.ts';

export interface SeedingStores {
  readonly scorerStore: ScorerStore;
  readonly transactions: Transactions;
}

const judge: Preset = {
  name: 'politeness',
  label: 'Politeness',
  description: 'Whether the answer is polite.',
  tags: ['answer'],
  kind: 'generated',
  definition: { model_name: 'm-1', num_judges: 3, cot_enabled: true, user_prompt: 'Is it polite?' },
  output_type: 'boolean',
  input_type: 'trace_io_only',
  scoreable_node_types: ['trace'],
  ground_truth: false,
  required_scorers: null,
};
const program: Preset = {
  ...judge,
  name: 'brevity',
  label: 'Brevity',
  kind: 'registered',
  definition: { language: 'typescript' },
  files: { source: new URL('file:///programs/brevity.ts') },
};
const changed: Preset = { ...judge, definition: { ...judge.definition, user_prompt: 'Is it friendly?' } };

const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'hex');

export const toSeeding = (stores: SeedingStores): PresetSeeding =>
  new PresetSeeding({
    ...stores,
    sha256,
    clock: () => new Date('2026-02-03T04:05:06Z'),
    scorerKinds: builtInKinds,
    readPresetFile: ({ pathname }) => `// ${pathname}\nfunction scorer() { return 1 }`,
  });

export function presetSeedingContract(adapter: string, open: () => Promise<Opened<SeedingStores>>): void {
  describe(`presets in the store, ${adapter}`, () => {
    let opened: Opened<SeedingStores>;
    let seeding: PresetSeeding;
    beforeEach(async () => {
      opened = await open();
      seeding = toSeeding(opened.port);
    });
    afterEach(() => opened.close());

    const stored = async (name: string) => {
      const scorer = (await opened.port.scorerStore.find(presetId(name, sha256)))!;
      return { scorer, latest: (await opened.port.scorerStore.findVersionOf(scorer.id))! };
    };

    it('are brought once, each with its version as the default', async () => {
      expect(await seeding.seed([judge, program])).toEqual({ added: ['politeness', 'brevity'], renewed: [] });
      expect(await seeding.seed([judge, program])).toEqual({ added: [], renewed: [] });
      const { scorer, latest } = await stored('politeness');
      expect(scorer).toMatchObject({ scorer_type: 'preset', model_type: 'llm', created_by: null, default_version_id: latest.id });
      expect(latest).toMatchObject({ version: 1, kind: 'generated', num_judges: 3, definition: judge.definition });
      expect((await stored('brevity')).latest.definition).toEqual({
        language: 'typescript',
        source: '// /programs/brevity.ts\nfunction scorer() { return 1 }',
      });
    });

    it('get a version when they change, which is not the default by itself', async () => {
      await seeding.seed([judge]);
      const before = await stored('politeness');
      expect(await seeding.seed([changed])).toEqual({ added: [], renewed: ['politeness'] });
      const after = await stored('politeness');
      expect(after.latest).toMatchObject({ version: 2, definition: changed.definition });
      expect(after.scorer).toEqual(before.scorer);
      expect(await seeding.seed([changed])).toEqual({ added: [], renewed: [] });
    });

    it('are shown by the labels of the release that started last', async () => {
      await seeding.seed([judge]);
      const { scorer } = await stored('politeness');
      expect(scorer.label).toBe('Politeness');
      const { scorerStore } = opened.port;
      await scorerStore.update(scorer.id, { label: 'An older label', updated_at: scorer.updated_at });
      expect(await seeding.seed([judge])).toEqual({ added: [], renewed: [] });
      expect((await stored('politeness')).scorer).toEqual(scorer);
    });

    it('leave versions of users where they are, on top', async () => {
      await seeding.seed([judge]);
      const { latest } = await stored('politeness');
      const own = { ...latest, id: '11111111-1111-4111-8111-111111111111', num_judges: 5 };
      await opened.port.scorerStore.insertVersion(own);
      expect(await seeding.seed([judge])).toEqual({ added: [], renewed: [] });
      expect((await stored('politeness')).latest.id).toBe(own.id);
    });

    it('that were there before do not come again when an older release starts', async () => {
      await seeding.seed([judge]);
      await seeding.seed([changed]);
      expect(await seeding.seed([judge])).toEqual({ added: [], renewed: [] });
      expect((await stored('politeness')).latest.version).toBe(2);
    });
  });
}
