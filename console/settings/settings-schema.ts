/** The part of JSON Schema that the settings of providers are described in. */
export interface SettingsSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly writeOnly?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SettingsSchema>>;
  readonly items?: SettingsSchema;
  readonly anyOf?: readonly SettingsSchema[];
}

interface FieldFacts {
  /** From the top of the settings. */
  readonly path: readonly string[];
  readonly help: string | undefined;
  readonly required: boolean;
}

/** One thing to fill in. `lines` is a list of strings, one a line; `json` is whatever has no form of its own. */
export type SettingsField = FieldFacts &
  (
    | { readonly kind: 'text' | 'secret' | 'url' | 'number' | 'lines' | 'json'; readonly initial: unknown }
    | { readonly kind: 'flag'; readonly initial: boolean }
    | { readonly kind: 'choice'; readonly options: readonly string[]; readonly initial: unknown }
    | { readonly kind: 'group'; readonly fields: readonly SettingsField[] }
    | { readonly kind: 'forms'; readonly forms: readonly (readonly SettingsField[])[] }
  );

/** Lists the input fields for settings of this schema; fields that can only be null are left out. */
export function toSettingsFields(schema: SettingsSchema, path: readonly string[] = []): SettingsField[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    getField(property, [...path, name], required.has(name)),
  );
}

function getField(schema: SettingsSchema, path: readonly string[], required: boolean): SettingsField[] {
  const { inner, secret } = withoutNull(schema);
  if (inner.length === 0) return [];
  const facts = { path, required, help: schema.description?.replaceAll('`', '') };
  const [only] = inner;
  if (inner.length > 1 || !only) {
    if (inner.every(({ properties }) => properties)) {
      // Alternatives of a secret are secret in each of their texts.
      return [
        { ...facts, kind: 'forms', forms: inner.map((form) => toSettingsFields(form, path).map((one) => hidden(one, secret))) },
      ];
    }
    return [{ ...facts, kind: 'json', initial: schema.default }];
  }
  if (only.properties)
    return [{ ...facts, kind: 'group', fields: toSettingsFields(only, path).map((one) => hidden(one, secret)) }];
  return [plainField(only, facts, schema.default, secret)];
}

function plainField(schema: SettingsSchema, facts: FieldFacts, initial: unknown, secret: boolean): SettingsField {
  if (schema.enum) return { ...facts, kind: 'choice', options: schema.enum, initial };
  if (schema.type === 'boolean') return { ...facts, kind: 'flag', initial: initial === true };
  if (schema.type === 'integer' || schema.type === 'number') return { ...facts, kind: 'number', initial };
  if (schema.type === 'array' && schema.items?.type === 'string') return { ...facts, kind: 'lines', initial };
  if (schema.type !== 'string') return { ...facts, kind: 'json', initial };
  if (secret) return { ...facts, kind: 'secret', initial };
  return { ...facts, kind: schema.format === 'uri' ? 'url' : 'text', initial };
}

const hidden = (field: SettingsField, secret: boolean): SettingsField =>
  secret && (field.kind === 'text' || field.kind === 'url') ? { ...field, kind: 'secret' } : field;

/** Types of a schema beside null, and whether any of them is secret. */
function withoutNull(schema: SettingsSchema): { inner: readonly SettingsSchema[]; secret: boolean } {
  const inner = (schema.anyOf ?? [schema]).flatMap((one) => {
    const types = [one.type].flat().filter((type) => type !== 'null');
    if (types.length === 0) return [];
    // Simple types are printed as a list, with null in it.
    return types.length === 1 && types[0] !== undefined ? [{ ...one, type: types[0] }] : [one];
  });
  return { inner, secret: schema.writeOnly === true || inner.some(({ writeOnly }) => writeOnly) };
}

/** Whether a field should be shown first; the rest may wait. */
export const isEssential = ({ required, kind }: SettingsField): boolean => required || kind === 'choice' || kind === 'secret';
