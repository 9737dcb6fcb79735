type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Schema = { readonly [keyword: string]: Json };
interface Span {
  readonly type: string;
  readonly name: string;
  readonly input: unknown;
  readonly tools?: readonly Schema[] | null;
}

/** Which share of the calls of offered tools have arguments that fit. Throws where no call is of a tool with a schema. */
export function scorer(_record: unknown, { spans }: { readonly spans: readonly Span[] }): number {
  const schemas = new Map(spans.flatMap(({ tools }) => tools ?? []).flatMap(toOffered));
  const calls = spans.filter(({ type, name }) => type === 'tool' && schemas.has(name));
  if (calls.length === 0) throw new Error('no tool was called of which a model was given the schema');
  const good = calls.filter(({ name, input }) => fits(schemas.get(name)!, readArguments(input)));
  return good.length / calls.length;
}

/** Tools stand under `function` with some providers, and their schema is `parameters` or `input_schema`. */
function toOffered(tool: Schema): (readonly [string, Schema])[] {
  const own = isObject(tool.function) ? tool.function : tool;
  const schema = own.parameters ?? own.input_schema ?? own.inputSchema;
  return typeof own.name === 'string' && isObject(schema) ? [[own.name, schema]] : [];
}

function readArguments(input: unknown): Json | undefined {
  if (typeof input !== 'string') return input as Json;
  try {
    return JSON.parse(input) as Json;
  } catch {
    return undefined;
  }
}

const isObject = (value: Json | undefined): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parts of JSON Schema by which tools are described: types, required and named properties, values, items. */
function fits(schema: Schema, value: Json | undefined): boolean {
  if (value === undefined) return false;
  const types = schema.type === undefined ? [] : Array.isArray(schema.type) ? (schema.type as Json[]) : [schema.type];
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false;
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => JSON.stringify(one) === JSON.stringify(value))) return false;
  if (Array.isArray(value)) return !isObject(schema.items) || value.every((item) => fits(schema.items as Schema, item as Json));
  return !isObject(value) || fitsProperties(schema, value);
}

function fitsProperties({ properties, required, additionalProperties }: Schema, value: Schema): boolean {
  const known = isObject(properties) ? properties : {};
  const isThere = (name: Json): boolean => Object.hasOwn(value, String(name));
  if (Array.isArray(required) && !required.every(isThere)) return false;
  return Object.entries(value).every(([name, one]) => {
    if (!Object.hasOwn(known, name)) return additionalProperties !== false;
    const schema = known[name];
    return !isObject(schema) || fits(schema, one);
  });
}

const isOfType = (type: Json, value: Json): boolean => {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'object') return isObject(value);
  return type === (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
};
