import { Agent, request } from 'node:http';
import type { Route } from '../../adapters/http/route.ts';
import type { Ids, Row } from './row.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** All that the service says of the reply; not the date, nor what concerns the connection. */
  readonly headers: string;
}

const NOT_COMPARED = new Set(['date', 'connection', 'keep-alive']);
/** Thousands of requests: a plain client takes half of what `fetch` does. */
const agent = new Agent({ keepAlive: true });

/** Sends the request of a row with these ids. `has_bad_body`: with a body that does not fit any schema. */
export async function exchange(
  url: string,
  { row, route }: { readonly row: Row; readonly route: Route },
  credentials: Readonly<Record<string, string>>,
  ids: Ids,
  has_bad_body = false,
): Promise<Answer> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[(row.path?.[name] ?? name) as keyof Ids]),
  );
  const query = row.query ? `?${new URLSearchParams(row.query(ids))}` : '';
  const { type, bytes } = await toBody(row, ids, has_bad_body);
  const headers = { 'x-request-id': 'access-matrix', ...type, 'content-length': bytes.length, ...credentials };
  return new Promise((resolve, reject) => {
    const sent = request(url + path + query, { agent, method: route.method.toUpperCase(), headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const kept = Object.entries(res.headers).filter(([name]) => !NOT_COMPARED.has(name));
        resolve({ status: res.statusCode!, text: Buffer.concat(chunks).toString('utf8'), headers: JSON.stringify(kept) });
      });
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

async function toBody(row: Row, ids: Ids, has_bad_body: boolean): Promise<{ type: Record<string, string>; bytes: Buffer }> {
  if (row.form) {
    const encoded = new Response(has_bad_body ? new FormData() : row.form(ids));
    const type = { 'content-type': encoded.headers.get('content-type')! };
    return { type, bytes: Buffer.from(await encoded.arrayBuffer()) };
  }
  const json = has_bad_body ? 'a text' : row.body?.(ids);
  if (json === undefined) return { type: {}, bytes: Buffer.alloc(0) };
  return { type: { 'content-type': 'application/json' }, bytes: Buffer.from(JSON.stringify(json)) };
}
