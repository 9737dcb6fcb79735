import type { Route } from '../../adapters/http/route.ts';
import type { Ids, Row } from '../access/row.ts';
import { type FuzzRequest, requestBody, withIds } from './fuzz-request.ts';

/** A prepared request, and the body as a value where it is JSON. */
export interface Prepared {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly json?: unknown;
}

type Headers = Readonly<Record<string, string>>;

/** The request of a row of the access matrix, with the request done to it. */
export async function prepare(
  row: Row,
  route: Route,
  ids: Ids,
  credentials: Headers,
  fuzzRequest: FuzzRequest,
): Promise<Prepared> {
  const who = fuzzRequest.kind === 'anonymous' ? {} : credentials;
  const method = fuzzRequest.kind === 'method' ? fuzzRequest.method : route.method.toUpperCase();
  const path = toPath(row, route, ids, fuzzRequest) + toQuery(row, ids, fuzzRequest);
  if (fuzzRequest.kind === 'raw')
    return { method, path, headers: { ...who, 'content-type': fuzzRequest.type }, bytes: Buffer.from(fuzzRequest.text) };
  if (row.form) return { method, path, ...(await toForm(row, ids, who, fuzzRequest)) };
  const base = row.body?.(ids);
  if (base === undefined && fuzzRequest.kind !== 'body') return { method, path, headers: who, bytes: Buffer.alloc(0) };
  const body = fuzzRequest.kind === 'body' ? withIds(fuzzRequest.value, ids) : requestBody(base, fuzzRequest);
  const bytes = Buffer.from(JSON.stringify(body) ?? '');
  return {
    method,
    path,
    headers: { ...who, 'content-type': 'application/json' },
    bytes,
    json: JSON.parse(bytes.toString() || 'null'),
  };
}

function toPath(row: Row, { path }: Route, ids: Ids, fuzzRequest: FuzzRequest): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const hit = fuzzRequest.kind === 'param' && names.length > 0 ? names[fuzzRequest.at % names.length] : undefined;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    // A path that ends sooner is another operation.
    escaped(
      name === hit && fuzzRequest.kind === 'param'
        ? fuzzRequest.text || ' '
        : String(ids[(row.path?.[name] ?? name) as keyof Ids]),
    ),
  );
}

function toQuery(row: Row, ids: Ids, fuzzRequest: FuzzRequest): string {
  const query = new URLSearchParams(row.query?.(ids));
  if (fuzzRequest.kind === 'query') query.append(fuzzRequest.name, fuzzRequest.text);
  return query.size > 0 ? `?${query}` : '';
}

async function toForm(row: Row, ids: Ids, who: Headers, fuzzRequest: FuzzRequest): Promise<Pick<Prepared, 'headers' | 'bytes'>> {
  const form = row.form!(ids);
  if (fuzzRequest.kind === 'form')
    form.set(
      fuzzRequest.name,
      fuzzRequest.is_file ? new File([fuzzRequest.text], fuzzRequest.text.slice(0, 50)) : fuzzRequest.text,
    );
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type')!;
  return { headers: { ...who, 'content-type': type }, bytes: Buffer.from(await encoded.arrayBuffer()) };
}

/** Dots alone would be taken out of the path by whoever sends it, however written; lone surrogates cannot be written in one. */
const escaped = (text: string): string => encodeURIComponent(text.toWellFormed()).replace(/^\.+$/, '$&_');
