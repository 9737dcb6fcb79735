import { z } from 'zod';
import { stackOf } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/ports.ts';
import type { ScorerKindPlugin, ShownVersion } from '../../plugin-sdk/index.ts';

type Fields = Readonly<Record<string, z.ZodType>>;
type Shown = Readonly<Record<string, unknown>>;
export type ViewForm = 'short' | 'full';

/** Views of versions of the installed kinds: fields of the kinds' own, or \`definition\`. */
export class KindViews {
  /** The fields of all kinds, each null in versions of the others. */
  readonly fields: Readonly<Record<ViewForm, Fields>>;
  readonly #blank: Readonly<Record<ViewForm, Shown>>;
  readonly #log: Log;

  constructor(plugins: readonly ScorerKindPlugin[], log: Log) {
    const all = (form: ViewForm): Fields =>
      Object.fromEntries(plugins.flatMap(({ view }) => Object.entries(view?.fields?.[form].shape ?? {}).map(asNullable)));
    this.fields = { short: all('short'), full: all('full') };
    this.#blank = { short: toNulls(this.fields.short), full: toNulls(this.fields.full) };
    this.#log = log;
  }

  /** The fields of all kinds and \`definition\`. A kind that is not installed, or fails to show its version, has what is stored shown. */
  show(
    plugin: ScorerKindPlugin | undefined,
    stored: Shown,
    version: ShownVersion,
    form: ViewForm,
  ): Shown & { readonly definition: { [name: string]: unknown } | null } {
    const blank = this.#blank[form];
    if (!plugin?.view) return { ...blank, definition: { ...stored } };
    try {
      const shown = plugin.view.show(stored, version);
      if (!plugin.view.fields) return { ...blank, definition: asJsonObject(shown) };
      return { ...blank, ...this.#inFields(plugin.view.fields[form], shown), definition: null };
    } catch (error) {
      const failure = { plugin: plugin.id, version: version.id, error: stackOf(error) };
      this.#log.error('a scorer kind failed to show a version', failure);
      return { ...blank, definition: { ...stored } };
    }
  }

  /** Throws where a field is not as the kind has declared it. */
  #inFields({ shape }: z.ZodObject, shown: Shown): Shown {
    const given = Object.entries(shape).filter(([name]) => (shown[name] ?? null) !== null);
    return Object.fromEntries(given.map(([name, schema]) => [name, z.parse(schema as z.ZodType, shown[name])]));
  }
}

const asNullable = ([name, schema]: [string, z.core.$ZodType]): [string, z.ZodType] => [name, z.nullable(schema)];

const toNulls = (fields: Fields): Shown => Object.fromEntries(Object.keys(fields).map((name) => [name, null]));

/** Throws where it is none. */
const asJsonObject = (value: unknown): Record<string, unknown> => z.looseObject({}).parse(JSON.parse(JSON.stringify(value)));
