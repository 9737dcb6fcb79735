import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../access/row.ts';
import { makeLargeWorld } from '../amplification/large-fixture.ts';
import { otlpAttempts } from '../amplification/otlp-attempts.ts';
import {
  batchAttempts,
  computeFigures,
  extremeAttempts,
  isWithin,
  OPERATIONS,
  readingAttempts,
  runAttempts,
  shown,
  smallValueAttempts,
  someExtremeAttempts,
} from '../amplification/run-amplification.ts';
import { READING, type Result, Stand } from '../amplification/stand.ts';

/** As one of many tests it tries one body for each operation, smaller, and a part of what may be stored; all of it where it is proven. */
const isFull = process.env.AMPLIFICATION === 'full';
const BYTES = isFull ? 3 * 2 ** 20 : 128 * 1024;
const BATCH_LENGTH = isFull ? 24e6 : 1e6;
/** Of the bounds of what is stored and of what exporters send. */
const SHARE = Number(process.env.AMPLIFICATION_SHARE ?? (isFull ? 1 : 0.02));
const TIMEOUT = 7_200_000;
/** Operations to try, to look at these alone. */
const ONLY = new RegExp(process.env.AMPLIFICATION_ONLY ?? '');
const toTry = ({ operation }: Row): boolean => ONLY.test(operation);

describe('one request', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await Stand.open();
  });
  afterAll(() => stand?.close());

  const note = (result: Result): void => {
    const file = process.env.AMPLIFICATION_LOG;
    if (file) appendFileSync(file, `${JSON.stringify(result)}\n`);
  };
  const tell = (what: string, results: readonly Result[]): string[] => {
    for (const line of computeFigures(what, results)) process.stdout.write(`amplification: ${line}\n`);
    return results.filter((result) => !isWithin(result)).map(shown);
  };

  it('takes its share of time, however large its body is', { timeout: TIMEOUT }, async () => {
    const toAttempts = isFull ? extremeAttempts : someExtremeAttempts;
    const results = await runAttempts(stand, toAttempts(stand, BYTES, OPERATIONS.filter(toTry)), { note });
    expect(tell('bodies', results)).toEqual([]);
  });

  it('takes its share of time, with a batch as large as may be', { timeout: TIMEOUT }, async () => {
    const results = [
      ...(await runAttempts(stand, batchAttempts(stand, BATCH_LENGTH), { note })),
      ...(await runAttempts(stand, smallValueAttempts(stand, BATCH_LENGTH), { note })),
    ];
    for (const result of results) process.stdout.write(`amplification: batches: ${shown(result)}\n`);
    expect(results.filter((result) => !isWithin(result)).map(shown)).toEqual([]);
  });

  it('takes its share of time, however much an exporter sends', { timeout: TIMEOUT }, async () => {
    const results = await runAttempts(stand, otlpAttempts(stand, SHARE, isFull, ONLY), { note });
    for (const result of results)
      process.stdout.write(`amplification: OTLP: ${isWithin(result) ? '' : 'not held: '}${shown(result)}\n`);
    expect(results.filter((result) => !isWithin(result)).map(shown)).toEqual([]);
  });

  it('takes its share of time, however much is stored', { timeout: TIMEOUT }, async () => {
    const fixture = await makeLargeWorld(stand.fixtureServer, stand.reader_id, SHARE);
    const results = await runAttempts(stand, readingAttempts(stand, fixture, READING.filter(toTry)), { note });
    expect(tell('what is stored', results)).toEqual([]);
  });
});
