import { expect, it } from 'vitest';
import { MAPPING } from '../../../test/fixtures/otel/short-form.ts';
import type { LogRecord } from '../../traces/record.ts';
import type { SpanLog } from './span-log.ts';
import { SpanLogs, type SpanLogsDeps } from './span-logs.ts';

const RUN = { project_id: 'p', run_id: 'r' } as never;
const clock = () => new Date(0);

/** Log records of one span: as many as the store counts, and as many as it lists, at each reading the next number. */
function counting(sizes: readonly number[], lists: readonly number[], isStored = true) {
  const listed: number[] = [];
  const amended: string[] = [];
  let sized = 0;
  const spanLogStore = {
    sizes: async (_project: string, _run: string, ids: readonly string[]) => {
      const logs = sizes[Math.min(sized++, sizes.length - 1)]!;
      return new Map(ids.map((id) => [id, { logs, characters: logs }]));
    },
    list: async (_project: string, _run: string, ids: readonly string[]) => {
      // A reading too many is an endless loop, which no test would end.
      if (listed.length > 20) throw new Error('read again and again');
      const count = lists[Math.min(listed.length, lists.length - 1)]!;
      listed.push(count);
      return new Map(ids.map((id) => [id, Array.from({ length: count }, () => ({}) as SpanLog)]));
    },
  };
  const traceStore = {
    existing: async (_project: string, _run: string, ids: readonly string[]) => new Set(isStored ? ids : []),
    amendAll: async (_project: string, _run: string, ids: readonly string[]) => {
      amended.push(...ids);
      return ids.map(() => ({ trace_id: 't' }) as LogRecord);
    },
  };
  return { logs: new SpanLogs({ spanLogStore, traceStore, clock } as unknown as SpanLogsDeps), listed, amended };
}

it('reads log records of a span again while others come', async () => {
  const { logs, listed } = counting([1, 3, 3], [1, 3]);
  expect(await logs.join(RUN, ['s'], MAPPING)).toEqual(['t']);
  expect(listed).toEqual([1, 3]);
});

it('ends though a store counts more log records than it lists', async () => {
  const { logs, listed, amended } = counting([5], [2]);
  expect(await logs.join(RUN, ['s'], MAPPING)).toEqual(['t']);
  expect(listed).toEqual([2, 2]);
  expect(amended).toEqual(['s']);
});

it('ends where log records were removed after they were counted', async () => {
  const { logs, listed } = counting([5], [0]);
  expect(await logs.join(RUN, ['s'], MAPPING)).toEqual([]);
  expect(listed).toEqual([0]);
});

it('does not read log records of spans that have not come', async () => {
  const { logs, listed, amended } = counting([5], [5], false);
  expect(await logs.join(RUN, ['s'], MAPPING)).toEqual([]);
  expect([listed, amended]).toEqual([[], []]);
});
