import { FIRST_ADMIN } from './first-admin.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, else the text; undefined when empty. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

export interface RequestInitOfTest {
  readonly headers?: Readonly<Record<string, string>>;
  /** A body that is sent as it is, in place of JSON. */
  readonly raw?: NonNullable<RequestInit['body']>;
}

/** Sends a request with the key of the first administrator. Rejects when no response comes; every status is a reply. */
export async function sendJson(
  url: string,
  method: string,
  body: unknown,
  { headers = {}, raw }: RequestInitOfTest = {},
): Promise<Reply> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const sent = raw ?? json;
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const res = await fetch(url, {
    method,
    headers: { 'service-api-key': FIRST_ADMIN.api_key, ...type, ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const text = await res.text();
  const isJson = /[/+]json\b/.test(res.headers.get('content-type') ?? '');
  return { status: res.status, headers: res.headers, body: text === '' ? undefined : isJson ? JSON.parse(text) : text };
}
