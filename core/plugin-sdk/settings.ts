import { z } from 'zod';
import type { CompletionRequest } from './model-provider.ts';

/** Marks a field of settings as one to encrypt and never to show. It prints as `writeOnly` in JSON Schema. */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ ...schema.meta(), writeOnly: true }) as S;

/** String that may stand in an HTTP header as it is. */
export const HeaderText = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^[\x20-\x7e]+$/, 'has to be printable ASCII');

/** A key that is sent in a header. */
export const Token = secret(
  z
    .string()
    .min(1)
    .max(16_384)
    .regex(/^[\x21-\x7e]+$/, 'has to be printable ASCII without blanks'),
);

/** A base URL that a user gives. Whether it may be reached is for the host to say. */
export const Endpoint = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine((text) => URL.parse(text)?.username === '' && !/[?#]/.test(text), 'has to be without user, query and fragment');

/** A host name with or without protocol and port. */
export const Hostname = z
  .string()
  .max(300)
  .regex(
    /^(https?:\/\/)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?\/?$/i,
    'has to be a host name, with or without protocol and port',
  );

/** How many files, and of what size, may go with a message; null is no limit. */
export const MultiModalConfig = z
  .strictObject({ max_files: z.int().min(0).nullish(), max_file_size_bytes: z.int().min(0).nullish() })
  .nullish()
  .describe('How many files, and of what size, may go with a message.');

/** From a label of the call, or `model`, to the header it is sent in. */
export const HeaderMapping = z.record(
  z.string().min(1).max(100),
  z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'has to be a header name'),
);

/** The headers that a mapping asks for; a label the call does not have, or that fits no header, is left out. */
export function mappedHeaders(
  mapping: z.output<typeof HeaderMapping> | null | undefined,
  request: LabelledCall,
): Record<string, string> {
  const labels = new Map(Object.entries({ ...request.labels, model: request.model }));
  const headers = Object.entries(mapping ?? {}).map(([label, header]) => [header, labels.get(label)]);
  return Object.fromEntries(headers.filter(([, value]) => HeaderText.safeParse(value).success));
}

/** A text that holds JSON, for settings whose typed field is a text; undefined when it is not JSON or does not fit. */
export function readJson<S extends z.ZodType>(schema: S, text: string): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

type LabelledCall = Pick<CompletionRequest, 'labels' | 'model'>;

interface Node {
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly [keyword: string]: unknown;
}
type Path = readonly string[];

/**
 * The JSON Schema of what may be sent, in one piece: schemas with an id, which zod prints apart, stand where they are used. One
 * that contains itself stays a reference there. Throws an Error for a schema that has no JSON Schema.
 */
export function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input' }) as Readonly<Record<string, unknown>> & {
    readonly $defs?: Readonly<Record<string, unknown>>;
  };
  const inlined = (node: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((one) => inlined(one, within));
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...fields } = node as { readonly $ref?: unknown };
    const name = typeof $ref === 'string' ? $ref.replace(/^#\/\$defs\//, '') : '';
    const own = Object.fromEntries(Object.entries(fields).map(([field, one]) => [field, inlined(one, within)]));
    if (!Object.hasOwn($defs, name) || within.includes(name)) return $ref === undefined ? own : { $ref, ...own };
    return { ...(inlined($defs[name], [...within, name]) as object), ...own };
  };
  return inlined(root, []) as Readonly<Record<string, unknown>>;
}

/** Where the secrets of settings stand, each as the field names from the top; a secret inside a list or map is all of it. */
export function secretPaths(settings: z.ZodType): Path[] {
  const paths = pathsIn(jsonSchemaOf(settings) as Node, []);
  return [...new Map(paths.map((path) => [path.join('\0'), path])).values()];
}

/** A copy of settings to show. */
export function withoutSecrets(settings: z.ZodType, value: unknown): unknown {
  const shown = structuredClone(value);
  for (const path of secretPaths(settings)) remove(shown, path);
  return shown;
}

function pathsIn(node: Node, path: Path): Path[] {
  if (node.writeOnly) return [path];
  const fields = Object.entries(node.properties ?? {}).flatMap(([name, field]) => pathsIn(field, [...path, name]));
  const variants = [node.anyOf, node.oneOf, node.allOf].flatMap((nodes) => (nodes ?? []) as Node[]);
  const elements = [node.items, node.additionalProperties, node.prefixItems]
    .flat()
    .filter((one) => typeof one === 'object') as Node[];
  const hidden = elements.some((one) => one && pathsIn(one, path).length > 0);
  return [...fields, ...variants.flatMap((one) => pathsIn(one, path)), ...(hidden ? [path] : [])];
}

function remove(value: unknown, [name, ...rest]: Path): void {
  if (name === undefined || typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  if (rest.length > 0) remove(fields[name], rest);
  else delete fields[name];
}
