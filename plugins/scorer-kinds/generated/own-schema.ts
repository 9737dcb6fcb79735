import { z } from '../../../core/plugin-sdk/index.ts';

export type Schema = Readonly<Record<string, unknown>>;

const SENT = ['type', 'enum', 'const', 'properties', 'items', 'anyOf', 'description'];
/** No patterns and formats: they are the author's, and would run here over what a model wrote. No references. */
const CHECKED = [
  ...SENT,
  ...['required', 'additionalProperties', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minItems', 'maxItems', 'minLength', 'maxLength'],
];

/** Schema in the form that strict modes of providers take: types and enums, every object closed, all of its fields required. */
export const strictForm = (schema: Schema): Schema => closed(kept(schema, SENT)) as Schema;

/** Whether an answer matches a schema. Throws when it is no schema that can be checked. */
export function compileCheck(schema: Schema): (answer: unknown) => boolean {
  const check = z.fromJSONSchema(kept(schema, CHECKED) as Parameters<typeof z.fromJSONSchema>[0]);
  return (answer) => check.safeParse(answer).success;
}

/** A copy with these keywords only, at every level. */
function kept(schema: unknown, keywords: readonly string[]): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([keyword]) => keywords.includes(keyword));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, inside(keyword, value, keywords)]));
}

function inside(keyword: string, value: unknown, keywords: readonly string[]): unknown {
  if (keyword === 'items' || keyword === 'additionalProperties') return kept(value, keywords);
  if (keyword === 'anyOf' && Array.isArray(value)) return value.map((one) => kept(one, keywords));
  if (keyword !== 'properties') return value;
  return Object.fromEntries(Object.entries(Object(value)).map(([name, one]) => [name, kept(one, keywords)]));
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const fields = Object.entries(schema).map(([name, value]) => [name, closed(value)] as const);
  const properties = (schema as Schema).properties;
  const isObject = (schema as Schema).type === 'object' && typeof properties === 'object' && properties !== null;
  return Object.fromEntries([
    ...fields,
    ...(isObject ? [['required', Object.keys(properties)] as const, ['additionalProperties', false] as const] : []),
  ]);
}
