import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFuzz } from '../fuzz/run-fuzz.ts';
import { openRange, type Range } from '../fuzz/target.ts';

/** As one of many tests it shoots the same requests each time; for as long as it is told to, others each time. */
const isLong = process.env.FUZZ_SECONDS !== undefined;
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 120);
const SHOTS_EACH = 6;
const SEED = Number(process.env.FUZZ_SEED ?? (isLong ? Date.now() % 2 ** 31 : 1));

describe('whatever is sent', () => {
  let range: Range;
  beforeAll(async () => {
    range = await openRange();
  });
  afterAll(() => range?.close());

  it('is answered as the description says, or refused and changes nothing', { timeout: (SECONDS + 240) * 1000 }, async () => {
    const settings = { seed: SEED, forMs: SECONDS * 1000, ...(isLong ? {} : { requestsEach: SHOTS_EACH }) };
    const report = await runFuzz(range, { ...settings, keep: process.env.FUZZ_KEEP === '1' });
    const { seed, operations, fuzzRequests, accepted, refused, replayed, failures } = report;
    process.stdout.write(
      `fuzz: FUZZ_SEED=${seed}, ${operations} rows of operations, ${fuzzRequests} requests, ${accepted} accepted, ${refused} refused, ${replayed} replayed, ${failures.length} failures\n`,
    );
    for (const { row, fuzzRequest, problem } of failures)
      process.stdout.write(`fuzz found: ${row} ${JSON.stringify(fuzzRequest)}: ${problem}\n`);
    if (process.env.FUZZ_REPORT) writeFileSync(process.env.FUZZ_REPORT, JSON.stringify(report));
    expect(failures).toEqual([]);
    expect(fuzzRequests).toBeGreaterThan(operations);
  });
});
