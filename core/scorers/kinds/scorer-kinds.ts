import { z } from 'zod';
import { stackOf } from '../../kernel/failure.ts';
import { PluginRegistry } from '../../kernel/plugin-registry.ts';
import type { Log } from '../../kernel/ports.ts';
import { tolerant } from '../../kernel/tolerant.ts';
import type { ScorerKindPlugin, ShownVersion } from '../../plugin-sdk/index.ts';
import type { Preset } from '../presets/preset.ts';
import { VERSION_FIELDS } from '../versions/version-fields.ts';
import { KindViews, type ViewForm } from './kind-views.ts';

export type Definition = Readonly<Record<string, unknown>>;

/** The type of scorers that exist from the first start, of whatever kind. */
export const PRESET = 'preset';

/** Words that stand in the place of a kind's id in paths or in `scorer_type`. */
const RESERVED: readonly string[] = [PRESET];

/** A definition as its schema makes it, or what is wrong with it. */
export type ParsedDefinition =
  | { readonly definition: Definition; readonly issues?: undefined }
  | { readonly definition?: undefined; readonly issues: readonly { path: readonly PropertyKey[]; message: string }[] };

/** A kind whose definitions are uploaded files. */
export type FileKind = ScorerKindPlugin & { readonly upload: NonNullable<ScorerKindPlugin['upload']> };
export const isFileKind = (plugin: ScorerKindPlugin): plugin is FileKind => plugin.upload !== undefined;

/** A kind whose definitions a model can write. */
export type AutogenKind = ScorerKindPlugin & { readonly autogen: NonNullable<ScorerKindPlugin['autogen']> };
export const isAutogenKind = (plugin: ScorerKindPlugin): plugin is AutogenKind => plugin.autogen !== undefined;

/** The installed scorer kinds. Each serves some values of `scorer_type`: its id and its aliases. */
export class ScorerKinds extends PluginRegistry<ScorerKindPlugin> {
  readonly #byType = new Map<string, ScorerKindPlugin>();
  readonly #views: KindViews;
  readonly #log: Log;

  /** Throws an Error that names the plugin when it is malformed, or a word of it is reserved or taken by another one. */
  constructor(plugins: readonly ScorerKindPlugin[], log: Log) {
    super(plugins);
    this.#log = log;
    for (const plugin of this.list()) this.#claim('scorer type', [plugin.id, ...(plugin.aliases ?? [])], plugin, this.#byType);
    const paths = new Map<string, ScorerKindPlugin>();
    for (const plugin of this.list()) this.#claim('path', pathsOf(plugin), plugin, paths);
    const names = new Map<string, ScorerKindPlugin>();
    const fields = new Map<string, ScorerKindPlugin>();
    for (const plugin of this.list()) {
      const presets = (plugin.presets ?? []).map(({ name }) => name);
      this.#claim('preset', presets, plugin, names);
      this.#claim('version field', listViewFields(plugin), plugin, fields, VERSION_FIELDS);
    }
    this.#views = new KindViews(plugins, log);
  }

  /** Fields of versions that belong to kinds. */
  get viewFields(): KindViews['fields'] {
    return this.#views.fields;
  }

  /** Returns the view of a version of the kind with this id. */
  show(id: string, stored: Definition, version: ShownVersion, form: ViewForm): ReturnType<KindViews['show']> {
    return this.#views.show(this.find(id), stored, version, form);
  }

  /** Scorers that exist from the first start, of all kinds. */
  get presets(): Preset[] {
    return this.list().flatMap(({ id: kind, presets = [] }) => presets.map((preset) => ({ ...preset, kind })));
  }

  /** Every value of `scorer_type` that a scorer may be created with, sorted. */
  get types(): string[] {
    return [...this.#byType.keys()].sort();
  }

  findByType(scorer_type: string): ScorerKindPlugin | undefined {
    return this.#byType.get(scorer_type);
  }

  /** The value of `scorer_type` that scorers are stored and shown with; of a word that is none, the word. */
  canonicalType(scorer_type: string): string {
    const plugin = this.findByType(scorer_type);
    return plugin ? getType(plugin) : scorer_type;
  }

  /** A definition as the schema of the kind makes it. Null counts as absent where it means nothing, unknown fields are dropped. */
  parse(plugin: ScorerKindPlugin, given: Definition): ParsedDefinition {
    try {
      const { data, error } = tolerant(plugin.definition).safeParse(given);
      return error ? { issues: error.issues } : { definition: z.looseObject({}).parse(data) };
    } catch (error) {
      this.#log.error('the schema of a scorer kind failed', { plugin: plugin.id, error: stackOf(error) });
      return { issues: [{ path: [], message: 'the plugin of the scorer failed on this definition' }] };
    }
  }

  #claim(
    what: string,
    words: readonly string[],
    plugin: ScorerKindPlugin,
    taken: Map<string, ScorerKindPlugin>,
    reserved: readonly string[] = RESERVED,
  ): void {
    for (const word of new Set(words)) {
      if (reserved.includes(word)) throw new Error(`plugin "${plugin.id}": the ${what} "${word}" is reserved`);
      if (taken.has(word)) throw new Error(`plugin "${plugin.id}": the ${what} "${word}" is taken by another plugin`);
      taken.set(word, plugin);
    }
  }
}

/** The value of `scorer_type` that scorers of the kind are shown with. */
export const getType = ({ id, aliases = [] }: Pick<ScorerKindPlugin, 'id' | 'aliases'>): string => aliases[0] ?? id;

/** Lists the names of the kind in paths: its id first. */
export const pathsOf = ({ id, former_paths = [] }: Pick<ScorerKindPlugin, 'id' | 'former_paths'>): string[] => [
  ...new Set([id, ...former_paths]),
];

/** Whether models are asked, and money may be spent. */
export const asksModels = (model_type: string | null): boolean => model_type === 'llm' || model_type === 'slm';

/** The fields of versions that the kind fills. */
export const listViewFields = ({ view }: Pick<ScorerKindPlugin, 'view'>): string[] => [
  ...new Set([...Object.keys(view?.fields?.short.shape ?? {}), ...Object.keys(view?.fields?.full.shape ?? {})]),
];
