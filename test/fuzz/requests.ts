import type { Route } from '../../adapters/http/route.ts';
import type { Ids, Row } from '../access/row.ts';
import { type Shot, shotBody, withIds } from './shot.ts';

/** What is sent, and the body as a value where it is JSON. */
export interface Prepared {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly json?: unknown;
}

type Headers = Readonly<Record<string, string>>;

/** The request of a row of the access matrix, with the shot done to it. */
export async function prepare(row: Row, route: Route, ids: Ids, credentials: Headers, shot: Shot): Promise<Prepared> {
  const who = shot.kind === 'anonymous' ? {} : credentials;
  const method = shot.kind === 'method' ? shot.method : route.method.toUpperCase();
  const path = pathOf(row, route, ids, shot) + queryOf(row, ids, shot);
  if (shot.kind === 'raw') return { method, path, headers: { ...who, 'content-type': shot.type }, bytes: Buffer.from(shot.text) };
  if (row.form) return { method, path, ...(await formOf(row, ids, who, shot)) };
  const base = row.body?.(ids);
  if (base === undefined && shot.kind !== 'body') return { method, path, headers: who, bytes: Buffer.alloc(0) };
  const body = shot.kind === 'body' ? withIds(shot.value, ids) : shotBody(base, shot);
  const bytes = Buffer.from(JSON.stringify(body) ?? '');
  return {
    method,
    path,
    headers: { ...who, 'content-type': 'application/json' },
    bytes,
    json: JSON.parse(bytes.toString() || 'null'),
  };
}

function pathOf(row: Row, { path }: Route, ids: Ids, shot: Shot): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const hit = shot.kind === 'param' && names.length > 0 ? names[shot.at % names.length] : undefined;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    // A path that ends sooner is another operation.
    escaped(name === hit && shot.kind === 'param' ? shot.text || ' ' : String(ids[(row.path?.[name] ?? name) as keyof Ids])),
  );
}

function queryOf(row: Row, ids: Ids, shot: Shot): string {
  const query = new URLSearchParams(row.query?.(ids));
  if (shot.kind === 'query') query.append(shot.name, shot.text);
  return query.size > 0 ? `?${query}` : '';
}

async function formOf(row: Row, ids: Ids, who: Headers, shot: Shot): Promise<Pick<Prepared, 'headers' | 'bytes'>> {
  const form = row.form!(ids);
  if (shot.kind === 'form') form.set(shot.name, shot.is_file ? new File([shot.text], shot.text.slice(0, 50)) : shot.text);
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type')!;
  return { headers: { ...who, 'content-type': type }, bytes: Buffer.from(await encoded.arrayBuffer()) };
}

/** Dots alone would be taken out of the path by whoever sends it, however written; half surrogates cannot be written in one. */
const escaped = (text: string): string => encodeURIComponent(text.toWellFormed()).replace(/^\.+$/, '$&_');
