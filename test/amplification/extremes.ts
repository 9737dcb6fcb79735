import type { ApiDocument, JsonSchema } from '../fuzz/document.ts';

/** A body at the bounds of its schema, or beyond them; made when its turn comes, for it is large. */
export interface Extreme {
  readonly name: string;
  make(): string;
}

type Json = unknown;
type Path = readonly (string | number)[];

/** How deep schemas are looked into for lists and maps. */
const DEEPEST = 4;
const DEFAULT_TEXT = 'x';

/** Every way in which a body for this schema can be large, each as large as `bytes`; `base` is a body that is right. */
export function extremesOf(schema: JsonSchema, base: Json, document: ApiDocument, bytes: number): Extreme[] {
  const places = placesIn(schema, document, [], 0);
  const start = isObject(base) ? base : {};
  const inPlace = (path: Path, value: () => Json) => () => JSON.stringify(put(start, path, value()));
  return [
    ...general(start, bytes),
    ...places.flatMap(({ path, kind, schema: one }): Extreme[] => {
      const at = path.join('.');
      if (kind === 'text') return [{ name: `${at}: the longest text`, make: inPlace(path, () => longest(one, bytes)) }];
      if (kind === 'map')
        return [{ name: `${at}: the most keys`, make: inPlace(path, () => keys(getExample(mapValueOf(one), document), bytes)) }];
      const item = (one.items ?? {}) as JsonSchema;
      return [
        { name: `${at}: the longest list`, make: inPlace(path, () => list(one, itemFor(start, path, item, document), bytes)) },
        { name: `${at}: a list of what does not belong`, make: inPlace(path, () => repeated(0, bytes / 2)) },
      ];
    }),
  ];
}

/** What needs no schema. */
function general(base: object, bytes: number): Extreme[] {
  const half = 60;
  return [
    { name: 'unknown keys', make: () => JSON.stringify({ ...base, ...keys(0, bytes) }) },
    { name: 'nested as deep as it may be', make: () => JSON.stringify({ ...base, extra: nested(half * 2) }) },
    { name: 'nested deeper', make: () => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}` },
    { name: 'a list in place of an object', make: () => JSON.stringify(repeated(0, bytes / 2)) },
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

function list({ maxItems }: JsonSchema, item: Json, bytes: number): Json[] {
  const fitting = Math.floor(bytes / ((JSON.stringify(item) ?? 'null').length + 1));
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

function keys(value: Json, bytes: number): Record<string, Json> {
  const each = (JSON.stringify(value) ?? '0').length + 12;
  return Object.fromEntries(Array.from({ length: Math.max(1, Math.floor(bytes / each)) }, (_, at) => [`k${at}`, value ?? 0]));
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
