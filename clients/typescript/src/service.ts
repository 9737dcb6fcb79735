import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.d.ts';

/** The whole interface, typed by its OpenAPI document. */
export type Api = Client<paths>;

const ATTEMPTS = 8;
const LONGEST_WAIT_MS = 30_000;

/** The service refused a request, or did not do what was asked. */
export class TouchstoneError extends Error {
  override readonly name = 'TouchstoneError';
  /** HTTP status; undefined where nobody responded. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Calls that a busy service puts off (429, 503) are repeated after the time that it names. */
export const openApi = (url: string, apiKey: string): Api =>
  createClient<paths>({ baseUrl: url, headers: { 'service-api-key': apiKey }, fetch: fetchWhenReady });

async function fetchWhenReady(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const res = await fetch(request.clone());
    if ((res.status !== 429 && res.status !== 503) || attempt === ATTEMPTS) return res;
    const seconds = Number(res.headers.get('retry-after') ?? Number.NaN);
    const wait = Number.isFinite(seconds) ? seconds * 1000 : 250 * 2 ** attempt;
    await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_WAIT_MS, wait)));
  }
}

/** Returns the data of a reply. Throws a TouchstoneError when it was refused. */
export async function dataOf<T>(reply: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await reply;
  if (data === undefined) throw new TouchstoneError(`${response.status}: ${JSON.stringify(error)}`, response.status);
  return data;
}
