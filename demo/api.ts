import { setTimeout as sleep } from 'node:timers/promises';

/** The service refused a request, in its own words. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Api {
  /** The answer's JSON; the caller names the shape it expects of the documented endpoint. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  upload<T>(path: string, form: FormData): Promise<T>;
  /** Every record of a search, page by page. */
  search<T>(path: string, query: Record<string, unknown>): Promise<T[]>;
}

interface Page<T> {
  readonly records: T[];
  readonly next_starting_token?: number | null;
}

const TRIES = 5;

export function connect(url: string, key: string): Api {
  async function call<T>(method: string, path: string, body?: string | FormData): Promise<T> {
    const headers: Record<string, string> = { 'Service-API-Key': key };
    if (typeof body === 'string') headers['content-type'] = 'application/json';
    for (let attempt = 1; ; attempt++) {
      const res = await fetch(`${url}/v2${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
      const text = await res.text();
      if (res.ok) return JSON.parse(text) as T;
      // A full queue says so and names a time; every call here may be repeated without harm.
      if ((res.status !== 503 && res.status !== 429) || attempt === TRIES)
        throw new ApiError(res.status, describe(method, path, res, text));
      await sleep(1000 * (Number(res.headers.get('retry-after')) || attempt));
    }
  }
  const post = <T>(path: string, body: unknown) => call<T>('POST', path, JSON.stringify(body));
  return {
    post,
    get: (path) => call('GET', path),
    patch: (path, body) => call('PATCH', path, JSON.stringify(body)),
    upload: (path, form) => call('POST', path, form),
    async search<T>(path: string, query: Record<string, unknown>) {
      const records: T[] = [];
      for (let starting_token: number | null | undefined = 0; typeof starting_token === 'number'; ) {
        const page: Page<T> = await post(path, { ...query, starting_token, limit: 100 });
        records.push(...page.records);
        starting_token = page.next_starting_token;
      }
      return records;
    },
  };
}

function describe(method: string, path: string, res: Response, text: string): string {
  return `${method} /v2${path} answered ${res.status}: ${toDetail(text) || res.statusText}`;
}

/** Both error bodies of the service: `detail` is a text, or a list of problems with their places. */
function toDetail(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: string | { loc?: unknown[]; msg?: string }[] };
    if (typeof detail === 'string') return detail;
    return (detail ?? []).map(({ loc, msg }) => `${loc?.join('.')}: ${msg}`).join('; ');
  } catch {
    return text.slice(0, 200);
  }
}
