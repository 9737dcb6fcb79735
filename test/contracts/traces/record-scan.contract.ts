import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../core/traces/record.ts';
import { NEWEST_FIRST, type RecordListing, type RecordSelection } from '../../../core/traces/record-query.ts';
import { DIFFICULT } from '../difficult-records.ts';
import { newRun, type RecordStores, type RunKey, span, stored, trace, write } from './record-stores.ts';

/** With characters that the database keeps in another form. */
const NAME = 'a \uf8ff and \u{1f99c}';

/** The stores are opened once; every test works in a run of its own. */
export function recordScanContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`RecordScan, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const all = (level: 'trace' | 'span' = 'trace'): RecordSelection => ({ ...run, level, where: { and: [] } });
    const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const logged = async (...facts: Partial<LogRecord>[]): Promise<LogRecord[]> => {
      const records = facts.map((one) => trace(run, one));
      await write(stores, records);
      return records;
    };
    const read = async (sort: RecordListing['sort'] = NEWEST_FIRST, selection = all()): Promise<LogRecord[]> => {
      const found: LogRecord[] = [];
      for await (const page of stores.recordScan.records(selection, sort)) found.push(...page);
      return found;
    };
    const names = (records: readonly LogRecord[]): string[] => records.map(({ name }) => name);

    it.each(DIFFICULT)('reads %s as it was written', async (_what, facts) => {
      const record = trace(run, facts);
      await write(stores, [record]);
      expect(await read(NEWEST_FIRST, all(record.type === 'trace' ? 'trace' : 'span'))).toStrictEqual([stored(record)]);
    });

    it('goes by time in both directions, ties by id, to the microsecond', async () => {
      const ids = Array.from({ length: 3 }, () => randomUUID()).sort();
      await logged({ name: 'c', created_at: at(1), id: ids[2]! }, { name: 'b', created_at: at(1), id: ids[1]! });
      await logged({ name: 'd', created_at: at(1).replace('Z', '001Z') }, { name: 'a', created_at: at(0), id: ids[0]! });
      expect(names(await read({ column_id: 'created_at', ascending: true }))).toEqual(['a', 'b', 'c', 'd']);
      expect(names(await read({ column_id: 'created_at', ascending: false }))).toEqual(['d', 'c', 'b', 'a']);
    });

    it.each([
      ['status_code', true, ['two', 'three', 'none']],
      ['status_code', false, ['none', 'three', 'two']],
      ['name', true, ['none', 'three', 'two']],
      ['metrics/size', true, ['three', 'two', 'none']],
    ] as const)('goes by %s, ascending: %s, missing values as the greatest', async (column_id, ascending, wanted) => {
      await logged({ name: 'none' }, { name: 'three', status_code: 3, metrics: { size: 1 } });
      await logged({ name: 'two', status_code: 2, metrics: { size: 2 } });
      expect(names(await read({ column_id, ascending }))).toEqual(wanted);
    });

    it.each(['created_at', 'name'])('reads more than a page by %s, each record once, large and small', async (column_id) => {
      const large = 'x'.repeat(1_500_000);
      const facts = Array.from({ length: 1_203 }, (_, index) => ({
        name: String(index).padStart(4, '0'),
        created_at: at(index % 7),
        input: index % 200 === 0 ? large : 'small',
      }));
      await logged(...facts);
      const found = await read({ column_id, ascending: true });
      expect(new Set(names(found)).size).toBe(1_203);
      expect(found.length).toBe(1_203);
      expect(found.filter(({ input }) => input === large).length).toBe(7);
    });

    it('reads what meets the condition on the level only, of this run only', async () => {
      const other = await newRun(stores, run.project_id);
      await write(stores, [trace(other, { name: 'a' })]);
      const [root] = await logged({ name: 'a', has_children: true }, { name: 'b' });
      await write(stores, [span(root!, { name: 'a' })]);
      const where = { filter: { type: 'text', column_id: 'name', operator: 'eq', value: 'a', case_sensitive: true } } as const;
      expect((await read(NEWEST_FIRST, { ...all(), where })).map(({ id }) => id)).toEqual([root!.id]);
      expect((await read(NEWEST_FIRST, all('span'))).map(({ type }) => type)).toEqual(['tool']);
    });

    it('returns keys newest first, so many at a time, and leaves out what comes in ahead of it', async () => {
      const [a, b, c] = await logged({ created_at: at(1) }, { created_at: at(2) }, { created_at: at(3) });
      const pages: string[][] = [];
      for await (const keys of stores.recordScan.keys(all(), 2)) {
        pages.push(keys.map(({ id }) => id));
        if (pages.length === 1) await logged({ created_at: at(9) });
      }
      expect(pages).toEqual([[c!.id, b!.id], [a!.id]]);
    });

    it('goes on behind keys whose records are gone', async () => {
      const [a, b] = await logged({ created_at: at(1) }, { created_at: at(2) });
      const met: string[] = [];
      for await (const keys of stores.recordScan.keys(all(), 1)) {
        met.push(...keys.map(({ id }) => id));
        await stores.recordRemoval.removeTraces(run.project_id, run.run_id, met);
      }
      expect(met).toEqual([b!.id, a!.id]);
    });

    it('outlines traces with all below them, each trace first', async () => {
      const [root] = await logged({ name: NAME, metrics: { duration_ns: 5 }, has_children: true, created_at: at(5) }, {});
      const below = span(root!, { type: 'llm', name: 'ask', created_at: at(1) });
      await write(stores, [below]);
      const outlines = await stores.recordScan.outlines(run.project_id, run.run_id, [root!.id, randomUUID()]);
      expect(outlines.map(({ id }) => id)).toEqual([root!.id, below.id]);
      expect(outlines[0]).toStrictEqual({
        id: root!.id,
        trace_id: root!.id,
        parent_id: null,
        session_id: root!.id,
        type: 'trace',
        name: NAME,
        created_at: at(5),
        metrics: { duration_ns: 5 },
      });
    });
  });
}
