import { z } from 'zod';
import type { HttpClient } from './http-client.ts';
import { PluginError } from './plugin.ts';

/** A client's own credentials, as settings hold them in a JSON text. */
export const ClientCredentials = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) });
export type ClientCredentials = z.output<typeof ClientCredentials>;

export interface Expiring {
  readonly expires_at: Date;
}

export interface IssuedToken extends Expiring {
  readonly value: string;
}

const EARLY_MS = 60_000;
const Reply = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive().default(300) });

/** Issues once, and again a minute before what was issued expires. A failed issue is not remembered. */
export function remembered<T extends Expiring>(clock: () => Date, issue: (signal: AbortSignal) => Promise<T>) {
  let held: T | undefined;
  return async (signal: AbortSignal): Promise<T> => {
    if (!held || held.expires_at.getTime() - EARLY_MS <= clock().getTime()) held = await issue(signal);
    return held;
  };
}

/** Asks a token endpoint (RFC 6749) with a form; fields that are undefined are left out. A 400 there means refused credentials. */
export async function oauth2Token(
  far: HttpClient,
  { url, form, now, signal }: { url: string; form: Readonly<Record<string, string | undefined>>; now: Date; signal: AbortSignal },
): Promise<IssuedToken> {
  const fields = Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined);
  const { access_token, expires_in } = await far
    .json(Reply, url, { method: 'POST', body: new URLSearchParams(fields), signal })
    .catch((error: unknown) => {
      if (!(error instanceof PluginError) || error.status !== 400) throw error;
      throw new PluginError('credentials_rejected', 'credentials were refused by the token endpoint', { status: 400 });
    });
  return { value: access_token, expires_at: new Date(now.getTime() + expires_in * 1000) };
}
