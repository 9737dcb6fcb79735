/** A schema as the OpenAPI document prints it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The schemas of all bodies of JSON, but for ingest by OpenTelemetry, whose shapes are not the service's. */
export function requestSchemas(document: Document): { readonly operation: string; readonly schema: JsonSchema }[] {
  const operations = Object.entries(document.paths).filter(([path]) => !/\/otel\/|\/v1\/(?:traces|logs|metrics)$/.test(path));
  return operations
    .flatMap(([, methods]) => Object.values(methods))
    .flatMap(({ operationId: operation, requestBody }) => {
      const schema = requestBody?.content['application/json']?.schema;
      return schema ? [{ operation, schema }] : [];
    });
}

interface Field {
  readonly at: string;
  readonly is_optional: boolean;
  readonly takes_null: boolean;
  /** An object that allows no fields beyond its own. */
  readonly is_closed: boolean;
}

/** Every field of a schema, at every depth. */
export function* everyField(document: Document, schema: JsonSchema, at = '', seen: readonly string[] = []): Generator<Field> {
  const { $ref } = schema;
  if ($ref !== undefined && seen.includes($ref)) return;
  const path = $ref === undefined ? seen : [...seen, $ref];
  const own = resolved(document, schema);
  if (own.additionalProperties === false) yield { at, is_optional: false, takes_null: false, is_closed: true };
  for (const [name, field] of Object.entries(own.properties ?? {})) {
    const is_optional = !(own.required ?? []).includes(name);
    yield { at: `${at}.${name}`, is_optional, takes_null: takesNull(document, field), is_closed: false };
    yield* everyField(document, field, `${at}.${name}`, path);
  }
  for (const part of alternatives(own)) yield* everyField(document, part, at, path);
  if (own.items) yield* everyField(document, own.items, `${at}[]`, path);
  if (typeof own.additionalProperties === 'object') yield* everyField(document, own.additionalProperties, `${at}{}`, path);
}

function resolved({ components }: Document, schema: JsonSchema): JsonSchema {
  let found = schema;
  while (found.$ref !== undefined) found = components.schemas[found.$ref.split('/').at(-1)!]!;
  return found;
}

const alternatives = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema): JsonSchema[] => [...anyOf, ...oneOf, ...allOf];

function takesNull(document: Document, schema: JsonSchema): boolean {
  const own = resolved(document, schema);
  const { type } = own;
  if (type !== undefined) return [type].flat().includes('null');
  if (own.const !== undefined || own.enum) return own.const === null || (own.enum ?? []).includes(null);
  const parts = alternatives(own);
  return parts.length === 0 || parts.some((part) => takesNull(document, part));
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Requests of an operation, changed by what its schema says. */
export class Shapes {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  ofOperation(name: string): JsonSchema {
    const found = requestSchemas(this.#document).find(({ operation }) => operation === name);
    if (!found) throw new Error(`the operation ${name} has no body of JSON`);
    return found.schema;
  }

  /** A body with null in all optional fields that it has not got, or with more fields, in every object that has fields of its own. */
  filled(schema: JsonSchema, body: unknown, how: { readonly nulls?: boolean; readonly extra?: object }): unknown {
    const own = this.#fitting(resolved(this.#document, schema), body);
    if (Array.isArray(body)) return body.map((one) => (own.items ? this.filled(own.items, one, how) : one));
    if (!isFields(body) || !own.properties) return body;
    const { properties, required = [] } = own;
    const absent = Object.keys(properties).filter((name) => !(name in body) && !required.includes(name));
    const given = Object.entries(body).map(([name, value]) => [
      name,
      properties[name] ? this.filled(properties[name], value, how) : value,
    ]);
    return {
      ...(how.nulls ? Object.fromEntries(absent.map((name) => [name, null])) : {}),
      ...Object.fromEntries(given),
      ...how.extra,
    };
  }

  /** Of several possible schemas the one whose fields the value has most of. */
  #fitting(schema: JsonSchema, body: unknown): JsonSchema {
    const parts = alternatives(schema);
    if (parts.length === 0) return schema;
    const all = parts.map((part) => this.#fitting(resolved(this.#document, part), body));
    const fits = (one: JsonSchema): number => {
      if (Array.isArray(body)) return one.items ? 1 : -1;
      if (!isFields(body) || !one.properties) return -1;
      const constants = Object.entries(one.properties).filter(([, field]) => field.const !== undefined);
      if (constants.some(([name, field]) => body[name] !== field.const)) return -1;
      return Object.keys(body).filter((name) => name in one.properties!).length;
    };
    return all.toSorted((a, b) => fits(b) - fits(a))[0]!;
  }
}
