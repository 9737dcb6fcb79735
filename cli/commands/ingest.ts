import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { CommandError } from './command-error.ts';
import { findOrMakePlace, type Place, type PlaceOptions } from './places.ts';
import type { ServiceClient } from './service-client.ts';
import { Progress, type Terminal } from './terminal.ts';

export interface Ingested {
  readonly file: string;
  readonly format: 'jsonl' | 'otlp_json' | 'otlp_protobuf';
  readonly traces: number;
  readonly requests: number;
}

const BATCH_TRACES = 100;
const BATCH_CHARS = 4 * 1024 * 1024;
const PROTOBUF = /\.(pb|binpb|protobuf)$/i;

/** Where one batch goes, and how many traces it holds. */
type Send = (lines: readonly Line[]) => Promise<number>;

interface Line {
  readonly number: number;
  readonly value: object;
  readonly chars: number;
}

/** Sends a file of traces, one JSON object a line, or of OTLP requests as collectors write them. A file may be sent again: nothing is stored twice. */
export async function ingestFile(
  client: ServiceClient,
  file: string,
  options: PlaceOptions,
  terminal: Terminal,
): Promise<Ingested> {
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read: ${error.message}`);
  });
  const progress = new Progress(terminal, file);
  try {
    if (PROTOBUF.test(file)) return { file, ...(await sendProtobuf(client, file, options)) };
    return { file, ...(await sendLines(client, file, options, (done) => progress.at(done, size))) };
  } finally {
    progress.end();
  }
}

type Counts = Omit<Ingested, 'file'>;

async function sendProtobuf(client: ServiceClient, file: string, options: PlaceOptions): Promise<Counts> {
  const headers = { ...otlpHeaders(options), 'content-type': 'application/x-protobuf' };
  await client.open('POST', '/v1/traces', { headers, body: new Uint8Array(await readFile(file)) });
  return { format: 'otlp_protobuf', traces: 0, requests: 1 };
}

/** The first line says which of both forms a file has; a line of the other one is refused. */
async function sendLines(
  client: ServiceClient,
  file: string,
  options: PlaceOptions,
  onRead: (bytes: number) => void,
): Promise<Counts> {
  const input = createReadStream(file);
  let format: Counts['format'] | undefined;
  let send: Send | undefined;
  let batch: Line[] = [];
  let traces = 0;
  let requests = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    traces += (await send?.(batch)) ?? 0;
    requests += 1;
    batch = [];
    onRead(input.bytesRead);
  };
  for await (const line of readObjects(file, input)) {
    const found = isOtlp(line.value) ? 'otlp_json' : 'jsonl';
    if (format !== undefined && format !== found)
      throw new CommandError(`${file}:${line.number} is not ${format} as the lines before it`);
    if (send === undefined) {
      format = found;
      send = found === 'otlp_json' ? otlpSender(client, options) : traceSender(client, await findOrMakePlace(client, options));
    }
    batch.push(line);
    const chars = batch.reduce((sum, each) => sum + each.chars, 0);
    // An OTLP request of a collector is a batch already.
    if (found === 'otlp_json' || batch.length >= BATCH_TRACES || chars >= BATCH_CHARS) await flush();
  }
  await flush();
  if (format === undefined) throw new CommandError(`${file} holds no traces`);
  return { format, traces, requests };
}

async function* readObjects(file: string, input: NodeJS.ReadableStream): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    const plain = number === 1 ? text.replace(/^\ufeff/, '') : text;
    if (plain.trim() === '') continue;
    yield { number, value: toObject(plain, `${file}:${number}`), chars: plain.length };
  }
}

function toObject(text: string, where: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, as for what is JSON and no object.
  }
  throw new CommandError(`${where} is not a JSON object`);
}

const isOtlp = (value: object): boolean => 'resourceSpans' in value || 'resource_spans' in value;

function traceSender(client: ServiceClient, { project_id, run }: Place): Send {
  return async (lines) => {
    const traces = lines.map(({ value, number }) => ({ id: idOf(run, number, value), ...value }));
    const path = `/v2/projects/${project_id}/traces`;
    const { traces_count } = await client.call<{ traces_count: number }>('POST', path, { json: { ...run, traces } });
    return traces_count;
  };
}

/** Of the run, the line and what it says: the same file sent again means the same traces. */
function idOf(run: object, number: number, value: object): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([run, number, value]))
    .digest('hex');
  const variant = ((Number.parseInt(hash[16] ?? '0', 16) & 3) | 8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

function otlpSender(client: ServiceClient, options: PlaceOptions): Send {
  const headers = otlpHeaders(options);
  return async (lines) => {
    for (const { value } of lines) await client.open('POST', '/v1/traces', { headers, json: value });
    return lines.reduce((sum, { value }) => sum + countTraces(value), 0);
  };
}

const otlpHeaders = ({ project, logStream, experiment }: PlaceOptions): Record<string, string> => ({
  project: encodeURIComponent(project),
  ...(experiment === undefined ? { logstream: encodeURIComponent(logStream ?? 'default') } : { experimentid: experiment }),
});

/** Distinct trace ids of one request. */
function countTraces(value: object): number {
  const ids = new Set<string>();
  JSON.stringify(value, (key, each) => {
    if ((key === 'traceId' || key === 'trace_id') && typeof each === 'string') ids.add(each);
    return each;
  });
  return ids.size;
}
