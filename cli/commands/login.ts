import { createInterface } from 'node:readline/promises';
import { CommandError } from './command-error.ts';
import { keepProfile } from './profile.ts';
import { ServiceClient } from './service-client.ts';
import type { Terminal } from './terminal.ts';

export interface LoggedIn {
  readonly url: string;
  readonly email: string;
  readonly file: string;
}

/** Tries the key and keeps it. The key comes by SERVICE_API_KEY or standard input: command lines are read by others and kept in histories. */
export async function logIn(terminal: Terminal, url: string, input: NodeJS.ReadableStream): Promise<LoggedIn> {
  const api_key = terminal.env.SERVICE_API_KEY || (await readKey(terminal, input));
  if (api_key === '') throw new CommandError('no key was given: set SERVICE_API_KEY, or write it to standard input');
  const profile = { url: url.replace(/\/+$/, ''), api_key };
  const { email } = await new ServiceClient(profile).call<{ email: string }>('GET', '/v2/current_user');
  return { url: profile.url, email, file: await keepProfile(terminal.env, profile) };
}

async function readKey(terminal: Terminal, input: NodeJS.ReadableStream): Promise<string> {
  if (terminal.isWatched) terminal.err('API key: ');
  const lines = createInterface({ input, terminal: false });
  for await (const line of lines) return line.trim();
  return '';
}
