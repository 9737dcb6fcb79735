interface Scored {
  readonly output: string | null;
}
interface Context {
  readonly ground_truth: string | null;
}
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Schema = { readonly [keyword: string]: Json };
type Rule = (expected: Json, value: Json, schema: Schema) => boolean;

/** Whether the output is JSON that matches the reference, read as a JSON Schema. */
export function scorer({ output }: Scored, { ground_truth }: Context): boolean {
  if (ground_truth === null) throw new Error('the record has no ground truth, which would be the schema');
  const schema = JSON.parse(ground_truth) as Json;
  try {
    return matches(schema, JSON.parse(output ?? '') as Json);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const text = (value: Json): string => JSON.stringify(isObject(value) ? Object.entries(value).sort() : value);
const getSize = (value: Json): number | undefined => (typeof value === 'string' ? [...value].length : undefined);
const within = (value: number | undefined, holds: (value: number) => boolean): boolean => value === undefined || holds(value);
const parseNumber = (value: Json): number | undefined => (typeof value === 'number' ? value : undefined);
const getLength = (value: Json): number | undefined => (isList(value) ? value.length : undefined);
const computeCount = (value: Json): number | undefined => (isObject(value) ? Object.keys(value).length : undefined);

const isOfType = (type: Json, value: Json): boolean => {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'object') return isObject(value);
  return type === (value === null ? 'null' : isList(value) ? 'array' : typeof value);
};

const RULES: { readonly [keyword: string]: Rule } = {
  type: (types, value) => (isList(types) ? types : [types]).some((type) => isOfType(type, value)),
  enum: (values, value) => (values as Json[]).some((one) => text(one) === text(value)),
  const: (one, value) => text(one) === text(value),
  properties: (properties, value) =>
    !isObject(value) ||
    Object.entries(properties as Schema).every(([name, schema]) => !Object.hasOwn(value, name) || matches(schema, value[name]!)),
  required: (names, value) => !isObject(value) || (names as string[]).every((name) => Object.hasOwn(value, name)),
  additionalProperties: (schema, value, { properties }) =>
    !isObject(value) ||
    Object.keys(value).every((name) => Object.hasOwn(Object(properties), name) || matches(schema, value[name]!)),
  items: (schema, value) => !isList(value) || value.every((item) => matches(schema, item)),
  minItems: (min, value) => within(getLength(value), (length) => length >= Number(min)),
  maxItems: (max, value) => within(getLength(value), (length) => length <= Number(max)),
  uniqueItems: (unique, value) => unique !== true || !isList(value) || new Set(value.map(text)).size === value.length,
  minProperties: (min, value) => within(computeCount(value), (count) => count >= Number(min)),
  maxProperties: (max, value) => within(computeCount(value), (count) => count <= Number(max)),
  minLength: (min, value) => within(getSize(value), (length) => length >= Number(min)),
  maxLength: (max, value) => within(getSize(value), (length) => length <= Number(max)),
  pattern: (pattern, value) => typeof value !== 'string' || new RegExp(String(pattern), 'u').test(value),
  minimum: (min, value) => within(parseNumber(value), (number) => number >= Number(min)),
  maximum: (max, value) => within(parseNumber(value), (number) => number <= Number(max)),
  exclusiveMinimum: (min, value) => within(parseNumber(value), (number) => number > Number(min)),
  exclusiveMaximum: (max, value) => within(parseNumber(value), (number) => number < Number(max)),
  multipleOf: (unit, value) => within(parseNumber(value), (number) => Number.isInteger(number / Number(unit))),
  allOf: (schemas, value) => (schemas as Json[]).every((schema) => matches(schema, value)),
  anyOf: (schemas, value) => (schemas as Json[]).some((schema) => matches(schema, value)),
  oneOf: (schemas, value) => (schemas as Json[]).filter((schema) => matches(schema, value)).length === 1,
  not: (schema, value) => !matches(schema, value),
};
/** These say nothing about a value. */
const NOTES = ['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'format', 'deprecated'];

function matches(schema: Json, value: Json): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) throw new Error('the schema is no JSON Schema');
  return Object.entries(schema).every(([keyword, expected]) => {
    const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
    if (!rule && !NOTES.includes(keyword)) throw new Error(`the schema has the keyword "${keyword}", which is not known here`);
    return rule?.(expected, value, schema) ?? true;
  });
}
