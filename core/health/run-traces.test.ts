import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../traces/record.ts';
import { getTraces } from './run-traces.ts';

/** A run of so many traces, which counts the pages that are asked for. */
function runOf(traces: number) {
  const all = Array.from({ length: traces }, (_, at) => ({ id: `t${at}`, dataset_metadata: {} }) as LogRecord);
  const asked: unknown[] = [];
  const list = async ({ after, limit }: { readonly after?: string | undefined; readonly limit: number }) => {
    asked.push(after);
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return all.slice(from, from + limit + 1);
  };
  return { asked, list };
}

describe('the traces of a run', () => {
  it('are read page by page, and no further than they may', async () => {
    expect(await getTraces(runOf(1_200), 'p', 'r')).toHaveLength(1_200);
    expect(await getTraces(runOf(1_200), 'p', 'r', 1_200)).toHaveLength(1_200);
    const many = runOf(5_000);
    await expect(getTraces(many, 'p', 'r', 700)).rejects.toMatchObject({ code: 'comparison_too_large' });
    expect(many.asked).toHaveLength(2);
  });
});
