import { z } from 'zod';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { computeDigest, type Sha256 } from '../../kernel/digest.ts';
import type { Clock, Transactions } from '../../kernel/ports.ts';
import type { Definition, ScorerKinds } from '../kinds/scorer-kinds.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../scorer.ts';
import type { ScorerStore } from '../scorer-store.ts';
import type { Preset } from './preset.ts';

export interface PresetSeedingDeps {
  readonly scorerStore: ScorerStore;
  readonly transactions: Transactions;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly scorerKinds: Pick<ScorerKinds, 'find' | 'parse'>;
  /** The text of a file of a plugin. */
  readonly readPresetFile: (file: URL) => string;
}

export interface Seeded {
  /** Names of presets that are new. */
  readonly added: readonly string[];
  /** Names of presets that were there and got a version. */
  readonly renewed: readonly string[];
}

interface Planned {
  readonly scorer: ScorerRecord;
  readonly version: Omit<ScorerVersionRecord, 'version'>;
}

/** The id of a preset, the same in every installation. */
export const presetId = (name: string, sha256: Sha256): string => deriveUuid(`preset ${name}`, sha256);

/**
 * Brings presets into the store at each start. Ids follow from names and contents, so several that start at once bring the same. A
 * preset that has changed gets a version; which version is the default stays as it is, and so do the settings of all runs. Labels are those of this release.
 */
export class PresetSeeding {
  readonly #deps: PresetSeedingDeps;

  constructor(deps: PresetSeedingDeps) {
    this.#deps = deps;
  }

  async seed(presets: readonly Preset[]): Promise<Seeded> {
    const planned = presets.map((preset) => this.#plan(preset));
    const ids = planned.map(({ scorer }) => scorer.id);
    const [scorers, versions] = [await this.#deps.scorerStore.findMany(ids), await this.#deps.scorerStore.latestVersions(ids)];
    await this.#relabel(scorers, new Map(presets.map(({ name, label }) => [name, label])));
    const known = new Set(scorers.map(({ id }) => id));
    const current = new Set(versions.map(({ id }) => id));
    const [added, renewed]: [string[], string[]] = [[], []];
    for (const one of planned.filter(({ version }) => !current.has(version.id))) {
      const isNew = !known.has(one.scorer.id);
      if (await this.#bring(one, isNew)) (isNew ? added : renewed).push(one.scorer.name);
    }
    return { added, renewed };
  }

  async #relabel(scorers: readonly ScorerRecord[], labels: ReadonlyMap<string, string>): Promise<void> {
    const updated_at = this.#deps.clock().toISOString();
    for (const { id, name, label } of scorers) {
      const wanted = labels.get(name) ?? label;
      if (label !== wanted) await this.#deps.scorerStore.update(id, { label: wanted, updated_at });
    }
  }

  /** Returns false when the version was there already, behind a newer one or because another process was quicker. */
  async #bring({ scorer, version }: Planned, isNew: boolean): Promise<boolean> {
    const { scorerStore, transactions } = this.#deps;
    if (await scorerStore.findVersion(version.id)) return false;
    try {
      await transactions.run(async () => {
        if (isNew) await scorerStore.insert(scorer);
        await scorerStore.insertVersion(version);
      });
      return true;
    } catch (error) {
      if (await scorerStore.findVersion(version.id)) return false;
      throw error;
    }
  }

  /** Throws an Error when its kind does not take it: a preset that cannot judge is a fault of the plugin. */
  #definitionOf({ name, kind, definition, files = {} }: Preset): Definition {
    const { scorerKinds, readPresetFile } = this.#deps;
    const texts = Object.entries(files).map(([field, file]) => [field, readPresetFile(file)]);
    const whole = { ...definition, ...Object.fromEntries(texts) };
    const plugin = scorerKinds.find(kind);
    const issues = plugin && scorerKinds.parse(plugin, whole).issues;
    if (issues)
      throw new Error(`preset "${name}" of plugin "${kind}" is malformed: ${z.prettifyError({ issues: [...issues] as never })}`);
    return whole;
  }

  #plan(preset: Preset): Planned {
    const { sha256, clock } = this.#deps;
    const { name, kind, output_type, input_type, scoreable_node_types } = preset;
    const definition = this.#definitionOf(preset);
    const now = clock().toISOString();
    const made = { created_by: null, created_at: now, updated_at: now };
    const scorer_id = presetId(name, sha256);
    const version_id = deriveUuid(`preset ${name} ${canonicalJson(definition)}`, sha256);
    const { model_name = null, num_judges = null, cot_enabled = null } = definition as Partial<ScorerVersionRecord>;
    return {
      scorer: {
        id: scorer_id,
        name,
        label: preset.label,
        scorer_type: 'preset',
        description: preset.description,
        tags: preset.tags,
        defaults: null,
        model_type: this.#deps.scorerKinds.find(kind)?.model_type ?? null,
        ground_truth: preset.ground_truth,
        default_version_id: version_id,
        user_prompt: null,
        scoreable_node_types,
        output_type,
        input_type,
        required_scorers: preset.required_scorers,
        multimodal_capabilities: null,
        roll_up_method: null,
        deprecated: false,
        ...made,
      },
      version: {
        id: version_id,
        scorer_id,
        kind,
        definition,
        ...{ model_name, num_judges, cot_enabled, scoreable_node_types, output_type, input_type },
        calibration: null,
        ...made,
      },
    };
  }
}

/** A UUID of version 8, whose bits are ours to choose. */
function deriveUuid(text: string, sha256: Sha256): string {
  const hex = computeDigest(text, sha256);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
