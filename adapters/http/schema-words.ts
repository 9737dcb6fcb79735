import type { z } from 'zod';
import { vocabularyOf } from '../../core/kernel/vocabulary.ts';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, Schema>>;
type Fields = Readonly<Record<string, unknown>>;

/** One way of the translation: into the words of the interface, or out of them into those of a client. */
export interface Wording {
  readonly direction: 'in' | 'out';
  /** The other spelling of a word; undefined where it has none. */
  word(text: string): string | undefined;
  /** The same for the name of a preset. */
  presetName(text: string): string | undefined;
  /** Every other spelling that is read as the word. */
  spellings(word: string): readonly string[];
}

/**
 * The value with its words spelt the other way: values of enumerations and names of fields, where the schema has them,
 * and what is marked as vocabulary. Everything else is data and stays as it is, keys of maps and unknown fields
 * included. Linear in the size of the value; a part without a word is returned as it was given.
 */
export function respelt(schema: Schema, value: unknown, wording: Wording): unknown {
  const def = defOf(schema);
  if (vocabularyOf(schema) === 'keys') return isFields(value) ? getKeys(value, wording) : value;
  switch (def.type) {
    case 'object':
      return isFields(value) ? getObject(def.shape as Shape, value, wording) : value;
    case 'array':
      return Array.isArray(value) ? toItems(def.element as Schema, value, wording) : value;
    case 'record':
      return isFields(value) ? toRecord(def, value, wording) : value;
    case 'union':
      return unionOf(def.options as readonly Schema[], value, wording);
    case 'enum':
      return getMember(Object.values(def.entries as object), value, wording);
    case 'literal':
      return getMember(def.values as readonly unknown[], value, wording);
    case 'string':
      return toText(schema, value, wording);
    default: {
      const inner = innerOf(schema, wording.direction);
      return inner ? respelt(inner, value, wording) : value;
    }
  }
}

function getObject(shape: Shape, value: Fields, wording: Wording): unknown {
  let changed = false;
  const entries = Object.entries(value).map(([key, field]): [string, unknown] => {
    const name = fieldName(shape, value, key, wording);
    const known = wording.direction === 'in' ? name : key;
    const schema = Object.hasOwn(shape, known) ? shape[known] : undefined;
    const made = schema ? respelt(schema, field, wording) : field;
    changed ||= name !== key || made !== field;
    return [name, made];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** A field is renamed only to or from a name of the schema, and never onto another one that is there. */
function fieldName(shape: Shape, value: Fields, key: string, { direction, word }: Wording): string {
  const isKnown = Object.hasOwn(shape, key);
  if (isKnown === (direction === 'in')) return key;
  const other = word(key);
  if (other === undefined || Object.hasOwn(value, other)) return key;
  return direction === 'out' || Object.hasOwn(shape, other) ? other : key;
}

function toItems(element: Schema, value: readonly unknown[], wording: Wording): unknown {
  let changed = false;
  const items = value.map((item) => {
    const made = respelt(element, item, wording);
    changed ||= made !== item;
    return made;
  });
  return changed ? items : value;
}

function toRecord({ keyType, valueType }: Def, value: Fields, wording: Wording): unknown {
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const other = String(respelt(keyType as Schema, key, wording));
    const name = Object.hasOwn(value, other) ? key : other;
    const made = respelt(valueType as Schema, item, wording);
    changed ||= name !== key || made !== item;
    return [name, made];
  });
  return changed ? Object.fromEntries(entries) : value;
}

function getKeys(value: Fields, { presetName }: Wording): unknown {
  const names = Object.keys(value).map((key) => [key, presetName(key) ?? key] as const);
  if (names.every(([key, name]) => key === name)) return value;
  return Object.fromEntries(names.map(([key, name]) => [Object.hasOwn(value, name) ? key : name, value[key]]));
}

function unionOf(options: readonly Schema[], value: unknown, wording: Wording): unknown {
  const option = options.find((one) => fits(one, value, wording));
  return option ? respelt(option, value, wording) : value;
}

function getMember(members: readonly unknown[], value: unknown, { direction, word }: Wording): unknown {
  if (typeof value !== 'string' || members.includes(value) !== (direction === 'out')) return value;
  const other = word(value);
  return other !== undefined && (direction === 'out' || members.includes(other)) ? other : value;
}

function toText(schema: Schema, value: unknown, { word, presetName }: Wording): unknown {
  const vocabulary = vocabularyOf(schema);
  if (vocabulary === undefined || typeof value !== 'string') return value;
  return (vocabulary === 'word' ? word(value) : presetName(value)) ?? value;
}

/** Whether the value may be of the schema, by its own kind and by what stands at its first level: no deeper, for time's sake. */
function fits(schema: Schema, value: unknown, wording: Wording): boolean {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return isFields(value) && fieldsFit(def.shape as Shape, value, wording);
    case 'record':
      return isFields(value);
    case 'array':
      return Array.isArray(value);
    case 'union':
      return (def.options as readonly Schema[]).some((one) => fits(one, value, wording));
    case 'enum':
      return isMember(Object.values(def.entries as object), value, wording);
    case 'literal':
      return isMember(def.values as readonly unknown[], value, wording);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === def.type;
    case 'null':
      return value === null;
    case 'nullable':
      return value === null || fits(def.innerType as Schema, value, wording);
    default: {
      const inner = innerOf(schema, wording.direction);
      return inner ? fits(inner, value, wording) : true;
    }
  }
}

function fieldsFit(shape: Shape, value: Fields, wording: Wording): boolean {
  return Object.entries(shape).every(([name, field]) => {
    const other = wording.direction === 'in' ? aliasIn(value, name, wording) : name;
    if (!Object.hasOwn(value, other)) return field._zod.optin !== undefined;
    return isChoice(field) ? fits(field, value[other], wording) : true;
  });
}

/** By which of its names a field is there. */
const aliasIn = (value: Fields, name: string, { spellings }: Wording): string =>
  Object.hasOwn(value, name) ? name : (spellings(name).find((alias) => Object.hasOwn(value, alias)) ?? name);

/** Whether a schema tells the options of a union apart. */
const isChoice = (schema: Schema): boolean => ['literal', 'enum'].includes(defOf(schema).type);

const isMember = (members: readonly unknown[], value: unknown, { direction, word }: Wording): boolean =>
  members.includes(value) || (direction === 'in' && typeof value === 'string' && members.includes(word(value)));

/** Returns the schema inside one that only wraps it. A transformation is told by what it takes, or gives. */
function innerOf(schema: Schema, direction: Wording['direction']): Schema | undefined {
  const def = defOf(schema);
  if (def.type === 'lazy') return (def.getter as () => Schema)();
  if (def.type !== 'pipe') return def.innerType as Schema | undefined;
  const [near, far] = direction === 'in' ? [def.in, def.out] : [def.out, def.in];
  return (defOf(near as Schema).type === 'transform' ? far : near) as Schema;
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const defOf = (schema: Schema): Def => schema._zod.def as unknown as Def;
