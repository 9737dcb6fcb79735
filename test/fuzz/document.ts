import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TestServer } from '../http/harness.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: 'path' | 'query'; readonly schema: JsonSchema }[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
  readonly security?: readonly unknown[];
}

/** The description of the interface, as clients get it. */
export interface ApiDocument {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Undefined where the path has no such method. */
  operation(path: string, method: string): Operation | undefined;
  /** Finds the operation that a request with this path leads to: a word in it may be taken for a parameter. */
  operationAt(path: string, method: string): Operation | undefined;
  /** The parameter that a path goes on with where single things are read below it. */
  parameterBelow(path: string): string | undefined;
  /** The fields that a body of JSON may have; what else is sent is passed over. */
  bodyFields(operation: Operation): readonly string[];
  /** The schema of one field of a body of JSON; undefined where it has none of the name. */
  bodyField(operation: Operation, name: string): JsonSchema | undefined;
  /** A body of JSON without the members that its objects are not described with, at any depth: these are passed over. */
  knownBody(operation: Operation, body: unknown): unknown;
  /** Checks against a schema of the document. */
  validator(schema: JsonSchema): ValidateFunction;
}

export async function readDocument(server: TestServer): Promise<ApiDocument> {
  const { body } = await server.request('GET', '/v2/openapi.json');
  const schemas = body.components.schemas as Record<string, JsonSchema>;
  // Formats are for people here; what the service holds of them is seen in its answers.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema({ $id: 'api', components: { schemas } });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  /** A parameter may have other names for other methods. */
  const leadsTo = (template: string, path: string): boolean =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const operationAt = (path: string, method: string): Operation | undefined =>
    Object.keys(body.paths)
      .filter((template) => leadsTo(template, path))
      .map((template) => body.paths[template][method.toLowerCase()] as Operation | undefined)
      .find((operation) => operation !== undefined);
  const parameterBelow = (path: string): string | undefined =>
    Object.keys(body.paths)
      .filter((template) => body.paths[template].get && /\/\{\w+\}$/.test(template))
      .find((template) => leadsTo(template, `${path}/x`))
      ?.replace(/^.*\{(\w+)\}$/, '$1');
  const toFields = ({ requestBody }: Operation): Record<string, JsonSchema> => {
    const name = String(requestBody?.content?.['application/json']?.schema.$ref).split('/').at(-1)!;
    return (schemas[name]?.properties ?? {}) as Record<string, JsonSchema>;
  };
  return {
    schemas,
    bodyFields: (operation) => Object.keys(toFields(operation)),
    bodyField: (operation, name) => toFields(operation)[name],
    knownBody: ({ requestBody }, sent) => known(sent, requestBody?.content?.['application/json']?.schema ?? {}, schemas),
    parameterBelow,
    operation: (path, method) => body.paths[path][method.toLowerCase()],
    operationAt,
    validator: (schema) => {
      const found = compiled.get(schema) ?? ajv.compile(pointingTo('api', schema));
      compiled.set(schema, found);
      return found;
    },
  };
}

/** An object that a schema leaves open, as metadata, keeps all of its members. */
function known(value: unknown, schema: JsonSchema, schemas: ApiDocument['schemas']): unknown {
  const variants = listVariants(schema, schemas);
  if (Array.isArray(value)) {
    const items = variants.map((variant) => variant.items as JsonSchema | undefined).find((one) => one !== undefined);
    return items ? value.map((item) => known(item, items, schemas)) : value;
  }
  const isOpen = variants.some(({ properties, type, additionalProperties }) => {
    const hasNone = Object.keys((properties ?? {}) as object).length === 0;
    return additionalProperties ? true : hasNone && (type === 'object' || type === undefined);
  });
  if (typeof value !== 'object' || value === null || isOpen) return value;
  const properties = Object.assign({}, ...variants.map((variant) => variant.properties ?? {})) as Record<string, JsonSchema>;
  const members = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(members.map(([name, member]) => [name, known(member, properties[name]!, schemas)]));
}

/** The schemas that a value may be of: those behind references and alternatives. */
function listVariants(schema: JsonSchema, schemas: ApiDocument['schemas']): JsonSchema[] {
  if (typeof schema.$ref === 'string') return listVariants(schemas[schema.$ref.split('/').at(-1)!] ?? {}, schemas);
  const alternatives = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as readonly JsonSchema[] | undefined;
  return alternatives ? alternatives.flatMap((one) => listVariants(one, schemas)) : [schema];
}

const pointingTo = (id: string, schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', `"${id}#/components`)) as JsonSchema;
