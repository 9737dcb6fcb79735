import type { z } from 'zod';
import { secretPaths, withoutSecrets } from '../plugin-sdk/index.ts';
import type { StoredIntegration } from './integration.ts';
import type { Secret, SecretBox } from './secret-box.ts';

type Settings = Readonly<Record<string, unknown>>;
type Path = readonly string[];

const ADDRESS_FIELD = /(^|_)(endpoint|url|uri|host|hostname)s?$/;

/** Takes the secrets out of settings and seals them; what they are is for the schema of the provider to say. */
export function sealSettings(
  box: SecretBox,
  schema: z.ZodType,
  id: string,
  value: unknown,
): Pick<StoredIntegration, 'settings' | 'secrets'> {
  return { settings: withoutSecrets(schema, value) as Settings, secrets: box.seal(id, secretsIn(schema, value)) };
}

/** The secrets of settings, each as JSON text. */
export const secretsIn = (schema: z.ZodType, value: unknown): Secret[] =>
  secretPaths(schema).flatMap((path): Secret[] => {
    const found = at(value, path);
    return found === undefined ? [] : [{ path, text: JSON.stringify(found) }];
  });

/** Settings with their secrets put in. */
export function settingsWith(settings: Settings, secrets: readonly Secret[]): Settings {
  const opened: Record<string, unknown> = structuredClone(settings);
  for (const { path, text } of secrets) put(opened, path, JSON.parse(text));
  return opened;
}

/** Every text of settings that is a URL to call, with its place; known by the name of its field, because scopes look alike. */
export function addressesIn(value: unknown, path: Path = []): { path: Path; url: string }[] {
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => addressesIn(inner, [...path, name]));
  const field = path.findLast((name) => !/^\d+$/.test(name)) ?? '';
  if (typeof value !== 'string' || !ADDRESS_FIELD.test(field)) return [];
  return [{ path, url: /^\w+:\/\//.test(value) ? value : `https://${value}` }];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

/** Puts a secret back into the settings. The objects above it are there still: only the secret itself was taken out. */
function put(value: Record<string, unknown>, path: Path, secret: unknown): void {
  const above = at(value, path.slice(0, -1));
  if (isObject(above)) above[path.at(-1)!] = secret;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
