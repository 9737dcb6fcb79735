import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILE_LIMITS } from '../../core/datasets/files/file-limits.ts';
import { readWhole } from '../../test/fixtures/datasets/read-whole.ts';

const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(`test/fixtures/datasets/${name}.parquet`));
const parquet = (bytes: Uint8Array, changes: Parameters<typeof readWhole>[1] = {}) =>
  readWhole(bytes, { format: 'parquet', ...changes });

describe('Parquet', () => {
  it.each(['snappy', 'gzip', 'zstd', 'brotli', 'v2'])('reads every type of a file written with %s', async (name) => {
    const { columns, rows, report } = await parquet(fixture(`typed-${name}`));
    expect(columns).toEqual(['input', 'kind', 'count', 'score', 'right', 'at', 'day', 'flat', 'list', 'bytes']);
    expect(rows).toEqual([
      {
        input: 'first, "quoted"',
        kind: 'a',
        count: 1,
        score: 0.5,
        right: 'true',
        at: '2026-01-02T03:04:05.678901Z',
        day: '2026-01-02',
        flat: { lang: 'en', n: 1 },
        list: '["x","y"]',
        bytes: 'AP8=',
      },
      {
        input: 'second\nline',
        kind: 'b',
        count: '9007199254740993',
        score: null,
        right: 'false',
        at: null,
        day: '1960-02-29',
        flat: { lang: 'de', n: null },
        list: '[]',
        bytes: '',
      },
      {
        input: null,
        kind: 'a',
        count: null,
        score: -1.25,
        right: null,
        at: '1969-12-31T23:59:59.000Z',
        day: null,
        flat: null,
        list: null,
        bytes: null,
      },
    ]);
    expect(report.notes.map(({ type }) => type).sort()).toEqual(['binary_as_base64', 'nested_as_text']);
  });

  it('reads row groups of many pages in order', async () => {
    const { rows, report } = await parquet(fixture('groups'));
    expect(rows).toEqual(Array.from({ length: 2500 }, (_, n) => ({ input: `row ${n}`, n })));
    expect(report).toMatchObject({ rows_read: 2500, bytes_read: fixture('groups').length });
  });

  it('refuses more rows and columns than allowed before it reads any', async () => {
    await expect(parquet(fixture('groups'), { limits: { ...FILE_LIMITS, max_rows: 2499 } })).rejects.toMatchObject({
      code: 'file_too_many_rows',
    });
    await expect(parquet(fixture('groups'), { limits: { ...FILE_LIMITS, max_columns: 1 } })).rejects.toMatchObject({
      code: 'file_too_many_columns',
    });
  });

  it('refuses a compression that is not read, by its name', async () => {
    await expect(parquet(fixture('lz4'))).rejects.toMatchObject({
      code: 'file_format_unsupported',
      message: expect.stringContaining('LZ4'),
    });
  });

  it('refuses what a few bytes stand for too much of, before it is made room for', async () => {
    expect(fixture('many-values').length).toBeLessThan(100_000);
    await expect(parquet(fixture('many-values'))).rejects.toMatchObject({ code: 'file_malformed' });
    await expect(parquet(fixture('delta'))).rejects.toMatchObject({ code: 'file_format_unsupported' });
    const limits = { ...FILE_LIMITS, max_content_length: 10_000 };
    await expect(parquet(fixture('groups'), { limits })).rejects.toMatchObject({ code: 'file_content_too_long' });
  });

  it('refuses a file that breaks off, wherever', async () => {
    const whole = fixture('typed-snappy');
    for (const length of [4, 11, 12, 100, whole.length - 1]) {
      await expect(parquet(whole.slice(0, length))).rejects.toMatchObject({ kind: 'invalid', code: 'file_malformed' });
    }
  });

  it('responds for whatever is done to its bytes, and never with a fault of its own', async () => {
    const whole = fixture('typed-zstd');
    let refused = 0;
    for (let at = 4; at < whole.length; at += 3) {
      const broken = whole.slice();
      broken[at] = broken[at]! ^ 0xff;
      const outcome = await parquet(broken).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome).toMatchObject({ name: 'AppError', kind: 'invalid' });
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});
