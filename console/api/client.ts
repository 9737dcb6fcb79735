import { ApiFailure, type RefusalBody } from './failure.ts';
import { accessToken, renew } from './sign-in.ts';

/** Where the public API is, whatever path a proxy serves the console under. */
export const apiUrl = (path: string): string => new URL(`v2${path}`, new URL('.', document.baseURI)).href;

export type QueryValue = string | number | boolean | null | undefined | readonly string[];

export interface CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON, or as it is when it is a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Calls the API as who is signed in. Rejects with ApiFailure; a token that ran out is renewed once, unseen. */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const get = <T>(path: string, options?: CallOptions): Promise<T> => call<T>('GET', path, options);
export const post = <T>(path: string, body?: unknown, options?: CallOptions): Promise<T> =>
  call<T>('POST', path, { ...options, body });
export const put = <T>(path: string, body?: unknown, options?: CallOptions): Promise<T> =>
  call<T>('PUT', path, { ...options, body });
export const patch = <T>(path: string, body?: unknown, options?: CallOptions): Promise<T> =>
  call<T>('PATCH', path, { ...options, body });
export const remove = <T>(path: string, options?: CallOptions): Promise<T> => call<T>('DELETE', path, options);

/** The reply itself, for what is not JSON. */
export async function send(method: Method, path: string, options: CallOptions = {}): Promise<Response> {
  const first = await attempt(method, path, options);
  const response = first.status === 401 && (await renew()) ? await attempt(method, path, options) : first;
  if (!response.ok) throw new ApiFailure(response.status, await readRefusal(response));
  return response;
}

function attempt(method: Method, path: string, { query = {}, body, headers, signal }: CallOptions): Promise<Response> {
  const url = new URL(apiUrl(path));
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== null && one !== undefined) url.searchParams.append(name, String(one));
  const asIs = body instanceof FormData || body instanceof URLSearchParams;
  const token = accessToken.value;
  return fetch(url, {
    method,
    signal: signal ?? null,
    headers: {
      ...(body === undefined || asIs ? {} : { 'Content-Type': 'application/json' }),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: body === undefined ? null : asIs ? body : JSON.stringify(body),
  });
}

export async function readRefusal(response: Response): Promise<RefusalBody> {
  try {
    return (await response.json()) as RefusalBody;
  } catch {
    return { detail: `the service answered ${response.status}` };
  }
}
