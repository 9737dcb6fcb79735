import { type HttpClient, PluginError } from '../../../core/plugin-sdk/index.ts';

/** Key sets and descriptions are far shorter. */
const MAX_CHARS = 256 * 1024;
/** An issuer that fails is left alone for this long. */
export const RETRY_SECONDS = 5;

/** Reads a reply of the issuer as text. Rejects with a PluginError. */
export async function boundedText(client: HttpClient, url: string, init: RequestInit): Promise<string> {
  const text = await (await client.fetch(url, init)).text();
  if (text.length > MAX_CHARS)
    throw new PluginError('bad_reply', `openid_connect: the reply is longer than ${MAX_CHARS} characters`);
  return text;
}
