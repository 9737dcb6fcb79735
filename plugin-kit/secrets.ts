import { secretPaths, type z } from '../core/plugin-sdk/index.ts';

/** The strings in the secrets of settings, those inside JSON texts too. */
export function secretsIn(schema: z.ZodType, settings: unknown): string[] {
  return secretPaths(schema).flatMap((path) => stringsIn(path.reduce<unknown>((held, name) => Object(held)[name], settings)));
}

/** A secret in the forms in which it may leak: as it is, in JSON, percent-encoded, in base64 and in hexadecimal. */
export function listForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = ['base64', 'base64url', 'hex'] as const;
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...encoded.map((one) => bytes.toString(one)),
  ];
  return [...new Set(forms)].filter((form) => form.length >= 4);
}

/** A copy of settings with `mark` added to each of their secrets; keys in PEM stay as they are. */
export function withMarkedSecrets<T>(schema: z.ZodType, settings: T, mark: string): T {
  const copy = structuredClone(settings);
  for (const path of secretPaths(schema)) {
    const holder = path.slice(0, -1).reduce<unknown>((held, name) => Object(held)[name], copy);
    const name = path.at(-1);
    if (typeof holder === 'object' && holder !== null && name !== undefined && Object.hasOwn(holder, name)) {
      const fields = holder as Record<string, unknown>;
      fields[name] = marked(fields[name], mark);
    }
  }
  return copy;
}

function marked(value: unknown, mark: string): unknown {
  if (Array.isArray(value)) return value.map((one) => marked(one, mark));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, marked(held, mark)]));
  if (typeof value !== 'string') return value;
  if (value.startsWith('{')) return JSON.stringify(marked(JSON.parse(value), mark));
  return value.includes('-----BEGIN') ? value : `${value}${mark}`;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(stringsIn);
  if (typeof value !== 'string') return [];
  return value.startsWith('{') ? stringsIn(JSON.parse(value)) : [value];
}
