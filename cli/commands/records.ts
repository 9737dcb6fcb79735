import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { allOf } from './all-of.ts';
import { CommandError } from './command-error.ts';
import type { Place } from './places.ts';
import type { ServiceClient } from './service-client.ts';
import { Progress, type Terminal, toLine, toTable } from './terminal.ts';

export type Level = 'traces' | 'spans' | 'sessions';

/** A record as searches return it; the fields that are shown. */
export interface FoundRecord {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly created_at: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly status_code?: number | null;
}

interface Column {
  readonly id: string;
  readonly filter_type: string | null;
}

const PAGE = 100;
const TAIL_MS = 1_000;
/** Records of the last pages that are known to have been shown. */
const REMEMBERED = 10_000;

const OPERATORS: Readonly<Record<string, string>> = {
  '!=': 'ne',
  '>=': 'gte',
  '<=': 'lte',
  '>': 'gt',
  '<': 'lt',
  '~': 'contains',
  '=': 'eq',
};
const CONDITION = /^([^=!<>~]+)(!=|>=|<=|>|<|~|=)(.*)$/s;

/** `cost>0.1`, `input~refund`, `tags~urgent` as the filters of a search. The kind of each column is asked of the service. */
export async function toFilters(
  client: ServiceClient,
  place: Place,
  level: Level,
  conditions: readonly string[],
): Promise<object[]> {
  if (conditions.length === 0) return [];
  const path = `/v2/projects/${place.project_id}/${level}/available_columns`;
  const { columns } = await client.call<{ columns: Column[] }>('POST', path, { json: place.run });
  return conditions.map((condition) => toFilter(condition, columns));
}

function toFilter(condition: string, columns: readonly Column[]): object {
  const [, column_id = '', sign = '', text = ''] = (CONDITION.exec(condition) ?? []).map((part) => part.trim());
  if (column_id === '') throw new CommandError(`--filter ${condition} is not COLUMN OPERATOR VALUE, such as cost>0.1`);
  const column = columns.find(({ id }) => id === column_id);
  if (!column?.filter_type) throw new CommandError(`there is no column ${column_id} to filter by; there are ${namesOf(columns)}`);
  const value = toValue(column.filter_type, text, condition);
  return { type: column.filter_type, column_id, operator: OPERATORS[sign], value };
}

function toValue(filter_type: string, text: string, condition: string): string | number | boolean {
  if (filter_type === 'boolean') return text === 'true';
  return filter_type === 'number' ? toNumber(text, condition) : text;
}

const namesOf = (columns: readonly Column[]) =>
  columns
    .filter(({ filter_type }) => filter_type !== null)
    .map(({ id }) => id)
    .join(', ');

function toNumber(text: string, condition: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new CommandError(`--filter ${condition}: ${text} is not a number`);
  return value;
}

export interface SearchSettings {
  readonly level: Level;
  readonly filters: readonly object[];
  readonly limit: number;
}

/** The newest records first, page by page. */
export async function* searchRecords(client: ServiceClient, place: Place, settings: SearchSettings): AsyncGenerator<FoundRecord> {
  const path = `/v2/projects/${place.project_id}/${settings.level}/search`;
  const sort = { column_id: 'created_at', ascending: false };
  let left = settings.limit;
  for (let starting_token: number | null = 0; starting_token !== null && left > 0; ) {
    const json = { ...place.run, filters: settings.filters, sort, starting_token, limit: Math.min(PAGE, left) };
    const page: { records: FoundRecord[]; next_starting_token: number | null } = await client.call('POST', path, { json });
    yield* page.records;
    left -= page.records.length;
    starting_token = page.next_starting_token;
  }
}

/** Yields records as they come in, those of the last page first; ends with the signal of the terminal. */
export async function* tailRecords(
  client: ServiceClient,
  place: Place,
  { level, filters, limit }: SearchSettings,
  { signal }: Terminal,
): AsyncGenerator<FoundRecord> {
  const shown = new Set<string>();
  while (!signal?.aborted) {
    const newest = await allOf(searchRecords(client, place, { level, filters, limit: shown.size === 0 ? limit : PAGE }));
    for (const record of newest.reverse()) {
      if (shown.has(record.id)) continue;
      shown.add(record.id);
      yield record;
    }
    for (const id of shown) if (shown.size > REMEMBERED) shown.delete(id);
    await sleep(TAIL_MS, undefined, { ...(signal && { signal }) }).catch(() => undefined);
  }
}

export const describeRecord = ({ created_at, id, type, status_code, name, input, output }: FoundRecord): string[] => [
  created_at,
  id,
  status_code ? `${type} ${status_code}` : type,
  toLine(name, 24),
  `${toLine(input, 48)} -> ${toLine(output, 48)}`,
];

export const toRecordTable = (records: readonly FoundRecord[]): string => toTable(records.map(describeRecord));

export interface ExportSettings {
  readonly level: Level;
  readonly filters: readonly object[];
  readonly format: string;
  readonly output?: string;
  readonly redact: boolean;
}

/** Streams all records of a run to a file or to standard output. Returns the bytes written. */
export async function exportRecords(
  client: ServiceClient,
  { project_id, run }: Place,
  { level, filters, format, output, redact }: ExportSettings,
  terminal: Terminal,
): Promise<number> {
  const json = { ...run, root_type: level.slice(0, -1), export_format: format, filters, redact };
  const res = await client.open('POST', `/v2/projects/${project_id}/export_records`, { json });
  return writeBody(res, output, terminal);
}

/** Returns the bytes written, to a file or to standard output. */
export async function writeBody(res: Response, output: string | undefined, terminal: Terminal): Promise<number> {
  const progress = new Progress(terminal, 'bytes');
  const decoder = new TextDecoder();
  const stdout = new Writable({
    write: (chunk: Buffer, _, done) => {
      terminal.out(decoder.decode(chunk, { stream: true }));
      done();
    },
  });
  let bytes = 0;
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      progress.at(bytes);
      yield chunk;
    }
  };
  if (res.body) await pipeline(res.body, count, output === undefined ? stdout : createWriteStream(output, { mode: 0o600 }));
  progress.end();
  return bytes;
}
