import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, describeFailure, ServiceRefusal } from './command-error.ts';
import type { Profile } from './profile.ts';

export interface ServiceRequest {
  readonly json?: unknown;
  readonly body?: FormData | Uint8Array<ArrayBuffer> | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const ATTEMPTS = 6;
const LONGEST_WAIT_MS = 30_000;
/** Refusals that say "later": nothing was done. */
const LATER = new Set([429, 503]);

/** Calls one service as one user. */
export class ServiceClient {
  readonly url: string;
  readonly #key: string;

  constructor({ url, api_key }: Profile) {
    this.url = url;
    this.#key = api_key;
  }

  /** Rejects with a CommandError unless the service takes the request. What it refuses for now is repeated. */
  async call<T>(method: string, path: string, request: ServiceRequest = {}): Promise<T> {
    const res = await this.open(method, path, request);
    return (await res.json()) as T;
  }

  /** The response as it comes, for what is too large to be held. */
  async open(method: string, path: string, request: ServiceRequest = {}): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const res = await this.#send(method, path, request);
      if (res.ok) return res;
      if (!LATER.has(res.status) || attempt === ATTEMPTS) throw await refusal(res, method, path);
      await res.body?.cancel();
      await sleep(getWaitMs(res, attempt), undefined, { ...(request.signal && { signal: request.signal }) });
    }
  }

  async #send(method: string, path: string, { json, body, headers = {}, signal }: ServiceRequest): Promise<Response> {
    const content = json === undefined ? body : JSON.stringify(json);
    const type = json === undefined ? {} : { 'content-type': 'application/json' };
    try {
      return await fetch(this.url + path, {
        method,
        headers: { 'service-api-key': this.#key, ...type, ...headers },
        ...(content !== undefined && { body: content }),
        ...(signal && { signal }),
      });
    } catch (cause) {
      throw new CommandError(`${this.url} cannot be reached: ${describeFailure(cause)}`, undefined, { cause });
    }
  }
}

/** The wait that the service names; without one, doubled each time. */
function getWaitMs(res: Response, attempt: number): number {
  const seconds = Number(res.headers.get('retry-after') ?? Number.NaN);
  return Math.min(LONGEST_WAIT_MS, Number.isFinite(seconds) ? seconds * 1000 : 250 * 2 ** attempt);
}

async function refusal(res: Response, method: string, path: string): Promise<ServiceRefusal> {
  const text = (await res.text()).slice(0, 2_000);
  return new ServiceRefusal(`${method} ${path}`, res.status, detailIn(text) ?? text);
}

function detailIn(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === 'string' ? detail : JSON.stringify(detail);
  } catch {
    return undefined;
  }
}
