import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { CommandError } from './command-error.ts';

/** A service, and the key of whoever uses it. */
export const Profile = z.object({ url: z.url({ protocol: /^https?$/ }), api_key: z.string().min(1) });
export type Profile = z.output<typeof Profile>;

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_URL = 'http://127.0.0.1:8088';

/** Where `login` keeps the service and the key. */
export function profilePath(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'touchstone', 'login.json');
}

/** The environment first, then what `login` kept; a key that was kept is for its own service alone. */
export async function readProfile(env: Environment, url?: string): Promise<Profile> {
  const kept = await readKept(profilePath(env));
  const wanted = (url ?? env.SERVICE_URL ?? kept?.url ?? DEFAULT_URL).replace(/\/+$/, '');
  const api_key = env.SERVICE_API_KEY || (kept?.url === wanted ? kept.api_key : undefined);
  if (!api_key) throw new CommandError(`no key for ${wanted}: run "touchstone login", or set SERVICE_API_KEY`);
  const parsed = Profile.safeParse({ url: wanted, api_key });
  if (!parsed.success) throw new CommandError(`${wanted} is not the URL of a service`);
  return parsed.data;
}

/** Readable by its owner alone; written beside and renamed, so that a crash leaves the old file or the new one. */
export async function keepProfile(env: Environment, profile: Profile): Promise<string> {
  const path = profilePath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(beside, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600, flush: true });
  await chmod(beside, 0o600);
  await rename(beside, path);
  return path;
}

async function readKept(path: string): Promise<Profile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandError(`${path} cannot be read: ${error.message}`);
  });
  if (text === undefined) return undefined;
  try {
    return Profile.parse(JSON.parse(text));
  } catch {
    throw new CommandError(`${path} is damaged: run "touchstone login" again`);
  }
}
