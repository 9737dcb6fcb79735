import type { JsonBounds } from '../../core/kernel/json-scan.ts';
import type { ApiDocument, JsonSchema } from '../fuzz/document.ts';

/** A body at the bounds of its schema, or beyond them; made when its turn comes, for it is large. */
export interface Extreme {
  readonly name: string;
  make(): string;
}

type Json = unknown;
type Path = readonly (string | number)[];

/** How large bodies are made. */
export interface Size {
  readonly bytes: number;
  /** Of what is refused unread when there is more of it. */
  readonly bounds: JsonBounds;
}

/** How deep schemas are looked into for lists and maps. */
const DEEPEST = 4;
const DEFAULT_TEXT = 'x';

/** Every way in which a body for this schema can be large, each as large as may be; `base` is a body that is right. */
export function extremesOf(schema: JsonSchema, base: Json, document: ApiDocument, size: Size): Extreme[] {
  const { bytes } = size;
  const places = placesIn(schema, document, [], 0);
  const start = isObject(base) ? base : {};
  const inPlace = (path: Path, value: () => Json) => () => JSON.stringify(put(start, path, value()));
  return [
    ...general(start, size),
    ...places.flatMap(({ path, kind, schema: one }): Extreme[] => {
      const at = path.join('.');
      if (kind === 'text') return [{ name: `${at}: the longest text`, make: inPlace(path, () => longest(one, bytes)) }];
      if (kind === 'map')
        return [{ name: `${at}: the most keys`, make: inPlace(path, () => keys(getExample(mapValueOf(one), document), size)) }];
      const item = (one.items ?? {}) as JsonSchema;
      return [
        { name: `${at}: the longest list`, make: inPlace(path, () => list(one, itemFor(start, path, item, document), size)) },
        { name: `${at}: a list of what does not belong`, make: inPlace(path, () => zeros(size)) },
      ];
    }),
  ];
}

/** Extremes that need no schema. */
function general(base: object, size: Size): Extreme[] {
  const half = 60;
  const { bytes } = size;
  return [
    { name: 'unknown keys', make: () => JSON.stringify({ ...base, ...keys(0, size) }) },
    { name: 'unknown objects of names', make: () => JSON.stringify({ ...base, extra: objectsOfNames(size) }) },
    {
      name: 'more objects of names than may be',
      make: () => JSON.stringify({ ...base, extra: objectsOfNames({ ...size, bounds: UNBOUNDED }) }),
    },
    { name: 'more names than may be', make: () => JSON.stringify({ ...base, ...keys(0, { ...size, bounds: UNBOUNDED }) }) },
    { name: 'more values than may be', make: () => JSON.stringify({ ...base, extra: repeated(0, bytes / 2) }) },
    { name: 'nested as deep as it may be', make: () => JSON.stringify({ ...base, extra: nested(half * 2) }) },
    { name: 'nested deeper', make: () => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}` },
    { name: 'a list in place of an object', make: () => JSON.stringify(zeros(size)) },
    { name: 'quotes and backslashes', make: () => JSON.stringify({ ...base, extra: '\\"'.repeat(bytes / 4) }) },
    { name: 'cut off', make: () => JSON.stringify({ ...base, extra: repeated('x', bytes / 4) }).slice(0, -2) },
  ];
}

interface SchemaPlace {
  readonly path: Path;
  readonly kind: 'text' | 'list' | 'map';
  readonly schema: JsonSchema;
}

function placesIn(given: JsonSchema, document: ApiDocument, path: Path, depth: number): SchemaPlace[] {
  if (depth > DEEPEST) return [];
  const schema = resolved(given, document);
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return unique(choices.flatMap((one) => placesIn(one, document, path, depth + 1)));
  if (schema.type === 'string') return schema.enum || schema.format || path.length === 0 ? [] : [{ path, kind: 'text', schema }];
  if (schema.type === 'array') {
    const inside = placesIn((schema.items ?? {}) as JsonSchema, document, [...path, 0], depth + 1);
    return [{ path, kind: 'list', schema }, ...inside];
  }
  if (schema.type !== 'object') return [];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const inside = properties.flatMap(([name, one]) => placesIn(one, document, [...path, name], depth + 1));
  const isMap = path.length > 0 && schema.additionalProperties !== false;
  return [...(isMap ? [{ path, kind: 'map' as const, schema }] : []), ...inside];
}

const unique = (places: readonly SchemaPlace[]): SchemaPlace[] => [
  ...new Map(places.map((place) => [`${place.kind} ${place.path.join('.')}`, place])).values(),
];

function resolved(schema: JsonSchema, document: ApiDocument): JsonSchema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : undefined;
  return name === undefined ? schema : resolved(document.schemas[name] ?? {}, document);
}

const mapValueOf = ({ additionalProperties }: JsonSchema): JsonSchema =>
  (typeof additionalProperties === 'object' ? additionalProperties : {}) as JsonSchema;

const longest = ({ maxLength }: JsonSchema, bytes: number): string => 'x'.repeat(Math.min(Number(maxLength ?? bytes), bytes));

/** The item that the right body has there, else one that the schema describes. */
function itemFor(base: object, path: Path, schema: JsonSchema, document: ApiDocument): Json {
  const there = path.reduce<Json>((value, step) => (value as Record<string, Json> | undefined)?.[step], base);
  return Array.isArray(there) && there.length > 0 ? there[0] : getExample(schema, document);
}

function list({ maxItems }: JsonSchema, item: Json, { bytes, bounds }: Size): Json[] {
  const text = JSON.stringify(item) ?? 'null';
  const fitting = Math.floor(Math.min(bytes / (text.length + 1), valuesFor(bounds) / valuesIn(text)));
  const count = Math.max(1, Math.min(Number(maxItems ?? fitting), fitting));
  return Array.from({ length: count }, (_, at) => distinct(item, at));
}

/** Lists of names and ids refuse what comes twice; their items differ. */
function distinct(item: Json, at: number): Json {
  if (typeof item === 'string' && /^[\da-f-]{36}$/i.test(item)) return `${at.toString(16).padStart(8, '0')}${item.slice(8)}`;
  if (typeof item === 'string') return `${item}${at}`;
  if (!isObject(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [key, /^(id|\w+_id|name)$/.test(key) ? distinct(value, at) : value]),
  );
}

/** A small value that fits a schema. */
function getExample(given: JsonSchema, document: ApiDocument, depth = 0): Json {
  const schema = resolved(given, document);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as JsonSchema[] | undefined;
  if (choices) return getExample(choices[0]!, document, depth);
  if (schema.format === 'uuid' || schema.format === 'guid') return '11111111-1111-4111-8111-111111111111';
  if (schema.format === 'date-time') return '2026-01-01T00:00:00.000Z';
  if (schema.type === 'string') return DEFAULT_TEXT.repeat(Math.max(1, Number(schema.minLength ?? 1)));
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(0, Number(schema.minimum ?? 0));
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array')
    return depth > DEEPEST || !schema.minItems ? [] : [getExample(schema.items as JsonSchema, document, depth + 1)];
  if (schema.type !== 'object') return null;
  const required = (schema.required ?? []) as string[];
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  return Object.fromEntries(required.map((name) => [name, getExample(properties[name] ?? {}, document, depth + 1)]));
}

const repeated = (item: Json, count: number): Json[] => Array.from({ length: Math.max(1, Math.floor(count)) }, () => item);

/** The rest of a body has values too. */
const SPARE_VALUES = 500;
const SPARE_NAMES = 100;
/** A parser takes longest for objects that are neither small nor as large as may be. */
const NAMES_EACH = 100;
const UNBOUNDED: JsonBounds = {
  maxDepth: Number.POSITIVE_INFINITY,
  maxNames: Number.POSITIVE_INFINITY,
  maxValues: Number.POSITIVE_INFINITY,
  maxForms: Number.POSITIVE_INFINITY,
};
const valuesFor = ({ maxValues }: JsonBounds): number => maxValues - SPARE_VALUES;

/** As they are counted: no fewer than there are. */
const valuesIn = (text: string): number => 1 + text.split(/[,[{]/).length;

const zeros = ({ bytes, bounds }: Size): Json[] => repeated(0, Math.min(bytes / 2, valuesFor(bounds)));

function keys(value: Json, { bytes, bounds }: Size, prefix = 'k'): Record<string, Json> {
  const text = JSON.stringify(value) ?? '0';
  const fitting = Math.min(bytes / (text.length + 12), valuesFor(bounds) / valuesIn(text), bounds.maxNames - SPARE_NAMES);
  return Object.fromEntries(Array.from({ length: Math.max(1, Math.floor(fitting)) }, (_, at) => [`${prefix}${at}`, value ?? 0]));
}

/** As many names that all differ as there may be in all. */
function objectsOfNames({ bytes, bounds }: Size): Json[] {
  const names = Math.min(bytes / 16, valuesFor(bounds) / 2, bounds.maxForms - SPARE_NAMES);
  const objects = Math.max(1, Math.floor(names / NAMES_EACH));
  const size = { bytes, bounds: { ...bounds, maxNames: NAMES_EACH + SPARE_NAMES } };
  return Array.from({ length: objects }, (_, at) => keys(0, size, `o${at} `));
}

const nested = (depth: number): Json => (depth === 0 ? 0 : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) });

/** A copy of the body with the value at the path; what is missing on the way is made. */
function put(base: Json, path: Path, value: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const items = Array.isArray(base) ? [...base] : [];
    items[step] = put(items[step], rest, value);
    return items;
  }
  const fields = isObject(base) ? base : {};
  return { ...fields, [step]: put(fields[step], rest, value) };
}

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
