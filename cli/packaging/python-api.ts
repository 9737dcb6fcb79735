/** Part of an OpenAPI document that the Python client is made of. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface ApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: Schema }[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Method {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

const GENERATED = 'Made from the OpenAPI document by "npm run openapi"; not to be changed by hand.';
/** Words that cannot be names of arguments; `api.py` takes them with a line behind them. */
const TAKEN = new Set(['from', 'in', 'is', 'class', 'global', 'import', 'pass', 'body', 'self']);

/** `operations.py`: method and path of every operation that takes and returns JSON. */
export function toPythonOperations(document: ApiDocument): string {
  const lines = listMethods(document).map(({ name, method, path }) => `    "${name}": ("${method}", "${path}"),`);
  return `"""${GENERATED}"""\n\nOPERATIONS: dict[str, tuple[str, str]] = {\n${lines.join('\n')}\n}\n`;
}

/** `api.pyi`: the operations as methods with their types, which `api_types.pyi` declares. */
export function toPythonStub(document: ApiDocument): string {
  const methods = listMethods(document).map(
    ({ name, operation }) =>
      `    def ${name}(${['self', ...toArguments(operation)].join(', ')}) -> ${toReturned(operation)}:\n        """${toDocstring(operation)}"""`,
  );
  const head = [
    `"""${GENERATED}"""`,
    'from typing import Any',
    'from . import api_types as types\nfrom .http import Http',
    'class Api:\n    def __init__(self, http: Http) -> None: ...',
  ];
  return `${head.join('\n\n')}\n${methods.join('\n')}\n`;
}

function listMethods({ paths }: ApiDocument): Method[] {
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        name: toSnakeCase(operation.operationId),
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
    .filter(({ operation }) => isJson(operation.requestBody?.content) && isJson(findContent(operation)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether there is JSON, or nothing at all. */
const isJson = (content: Content | undefined): boolean =>
  content === undefined || Object.keys(content).length === 0 || 'application/json' in content;

function findContent({ responses }: ApiOperation): Content | undefined {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
}

function toArguments({ parameters = [], requestBody }: ApiOperation): string[] {
  const named = parameters.filter(({ in: place }) => place === 'path' || place === 'query');
  const bad = named.find(({ name }) => !/^[a-z]\w*(?<!_)$/i.test(name));
  if (bad) throw new Error(`the parameter ${bad.name} cannot be a name of an argument in Python`);
  const required = named.filter((parameter) => parameter.required);
  const optional = named.filter((parameter) => !parameter.required);
  const bodySchema = requestBody?.content?.['application/json']?.schema;
  const isBodyRequired = requestBody?.required === true;
  const all = [
    ...required.map(({ name, schema }) => `${toArgument(name)}: ${toType(schema)}`),
    ...(bodySchema && isBodyRequired ? [`body: ${toType(bodySchema)}`] : []),
    ...optional.map(({ name, schema }) => `${toArgument(name)}: ${toType(schema)} | None = None`),
    ...(bodySchema && !isBodyRequired ? [`body: ${toType(bodySchema)} | None = None`] : []),
  ];
  return all.length > 0 ? ['*', ...all] : [];
}

const toArgument = (name: string): string => (TAKEN.has(name) ? `${name}_` : name);

const toReturned = (operation: ApiOperation): string => {
  const schema = findContent(operation)?.['application/json']?.schema;
  return schema === undefined ? 'None' : toType(schema);
};

const NAMES: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool' };

function toType(schema: Schema | undefined): string {
  if (schema?.$ref !== undefined) return `types.${schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)}`;
  const choices = schema?.anyOf?.filter(({ type }) => type !== 'null');
  if (choices?.length === 1) return toType(choices[0]);
  if (schema?.type === 'array') return `list[${toType(schema.items)}]`;
  return (typeof schema?.type === 'string' && NAMES[schema.type]) || 'Any';
}

const toDocstring = ({ summary = '' }: ApiOperation): string => summary.replaceAll('\\', '\\\\').replaceAll('"', "'");

const toSnakeCase = (name: string): string => name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
