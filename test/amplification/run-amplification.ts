import { randomUUID } from 'node:crypto';
import { MAX_TRACES } from '../../core/traces/ingest/ingest-schema.ts';
import { ACCESS_MATRIX } from '../access/access-matrix.ts';
import type { Row } from '../access/row.ts';
import type { LargeWorld } from './large-fixture.ts';
import { type Attempt, READING, type Result, type Stand } from './stand.ts';

/** Of processor time for one response. */
export const CPU_LIMIT_MS = 1_000;
/** Without a turn for others. */
export const DELAY_LIMIT_MS = 250;

/** One row for each operation. */
export const OPERATIONS: readonly Row[] = [
  ...new Map(ACCESS_MATRIX.toReversed().map((row) => [row.operation, row])).values(),
].toReversed();

/** Files are sent while they are made, and take as long as what is in them; others have their turns meanwhile. */
const isFile = ({ operation }: Result): boolean => /^(export|download)/.test(operation);

export const isWithin = (result: Result): boolean =>
  (result.cpu_ms <= CPU_LIMIT_MS || isFile(result)) && result.delay_ms <= DELAY_LIMIT_MS;

/** Measures every attempt, once; one that is out of bounds twice more, and the least counts: a collection of garbage comes by chance. */
export async function runAttempts(
  stand: Stand,
  attempts: AsyncIterable<Attempt>,
  { every = 1, note = () => {} }: { readonly every?: number; readonly note?: (result: Result) => void } = {},
): Promise<Result[]> {
  const results: Result[] = [];
  let number = 0;
  for await (const attempt of attempts) {
    number += 1;
    if (number % every !== 0) continue;
    let result = await stand.measure(attempt);
    for (let again = 0; again < 2 && !isWithin(result); again += 1) {
      const next = await stand.measure(attempt);
      if (next.cpu_ms + next.delay_ms < result.cpu_ms + result.delay_ms) result = next;
    }
    results.push(result);
    note(result);
  }
  return results;
}

export async function* extremeAttempts(stand: Stand, bytes: number, rows: readonly Row[] = OPERATIONS): AsyncGenerator<Attempt> {
  for (const row of rows) yield* await stand.extremes(row, bytes);
}

const LOGGING = OPERATIONS.filter(({ operation }) => operation === 'logTraces');
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** As many traces as a request may have, of so many characters together. */
export async function* batchAttempts(stand: Stand, length: number): AsyncGenerator<Attempt> {
  for (const row of LOGGING) {
    const input = 'x'.repeat(length / MAX_TRACES);
    const batch = () => ({
      traces: times(MAX_TRACES, () => ({ id: randomUUID(), input, spans: [{ type: 'tool', name: 'step' }] })),
    });
    yield stand.withBody(row, 'the largest batch of long texts', (base) => JSON.stringify({ ...base, ...batch() }));
  }
}

/** What is not held: the parser reads a body at once, and what is many small values costs it ten times a text of that length. */
export async function* smallValueAttempts(stand: Stand, length: number): AsyncGenerator<Attempt> {
  for (const row of LOGGING) {
    const names = () => Object.fromEntries(times(length / 12, (at) => [`k${at}`, 0]));
    yield stand.withBody(row, 'the largest body of nothing but names', (base) => JSON.stringify({ ...base, ...names() }));
    const message = { role: 'user', content: 'x' };
    const span = { type: 'llm', input: times(length / (JSON.stringify(message).length + 1), () => message) };
    const traces = () => [{ id: randomUUID(), spans: [span] }];
    yield stand.withBody(row, 'the largest body of short messages', (base) => JSON.stringify({ ...base, traces: traces() }));
  }
}

/** Every operation that reads, about each large part of what is stored. */
export async function* readingAttempts(
  stand: Stand,
  { ids, views }: LargeWorld,
  rows: readonly Row[] = READING,
): AsyncGenerator<Attempt> {
  for (const row of rows) {
    yield await stand.asIs(row, ids, 'a large project');
    const takesRecord = /\{(trace|span|record|session)_id\}/.test(stand.toPath(row));
    for (const [input, view] of Object.entries(takesRecord ? views : {})) yield await stand.asIs(row, view, input);
  }
}

export const shown = ({ operation, input, status, cpu_ms, delay_ms }: Result): string =>
  `${operation}, ${input}: ${status}, ${Math.round(cpu_ms)} ms of processor time, ${Math.round(delay_ms)} ms without a turn`;

/** In short, and the dearest ones. */
export function computeFigures(what: string, results: readonly Result[]): string[] {
  const most = (read: (result: Result) => number): number => Math.round(Math.max(0, ...results.map(read)));
  const served = results.filter(({ status }) => status > 0 && status < 400).length;
  const dearest = results.toSorted((a, b) => b.cpu_ms - a.cpu_ms).slice(0, 5);
  return [
    `${what}: ${results.length} requests, ${served} served; at most ${most(({ cpu_ms }) => cpu_ms)} ms of processor time, ${most(({ delay_ms }) => delay_ms)} ms without a turn; ${results.filter((one) => !isWithin(one)).length} out of bounds`,
    ...dearest.map((one) => `${what}: ${shown(one)}`),
  ];
}
