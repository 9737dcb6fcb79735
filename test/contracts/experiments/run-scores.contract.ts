import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunScores } from '../../../core/experiments/run-scores.ts';
import type { RunTotals } from '../../../core/experiments/run-totals.ts';
import type { JsonValue } from '../../../core/kernel/json.ts';
import type { NewScore } from '../../../core/scores/score.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { CREATED, newRun, type RecordStores, type RunKey, span, trace, write } from '../traces/record-stores.ts';

export interface ScoredStores extends RecordStores {
  readonly runScores: RunScores;
  readonly runTotals: RunTotals;
}

const EARLIER = '2025-12-31T00:00:00.000Z';
const NASTY = 'NUL \0 half \ud83e private \uf8ff';

/** The stores are opened once; every test works in a run of its own. */
export function runScoresContract(adapter: string, open: () => Promise<ScoredStores>): void {
  describe(`RunScores and RunTotals, ${adapter}`, () => {
    let stores: ScoredStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const score = (record: LogRecord, metric_name: string, value: JsonValue, more: Partial<NewScore> = {}) => {
      const ids = { record_id: record.id, scorer_id: randomUUID(), scorer_version_id: randomUUID() };
      const facts = { explanation: null, message: null, effort: null, judged: null, scored_at: CREATED };
      return stores.scoreStore.insert([{ ...run, ...ids, ...facts, status_type: 'success', metric_name, value, ...more }]);
    };
    async function logged() {
      const row_id = randomUUID().toUpperCase();
      const first = trace(run, {
        dataset_input: NASTY,
        dataset_metadata: { dataset_row_id: row_id },
        metrics: { duration_ns: 10, own: 4 },
      });
      const call = span(first, { type: 'llm', metrics: { cost: 0.5, num_total_tokens: 7, flag: true, note: 'x' } });
      const second = trace(run, { created_at: '2026-01-03T00:00:00.000Z', status_code: 500, tags: ['late'] });
      await write(stores, [first, call, second]);
      await score(first, 'good', true);
      await score(call, 'good', false);
      await score(second, 'good', true);
      await score(second, NASTY, [NASTY]);
      await score(second, 'good', false, { scored_at: EARLIER });
      await score(call, 'good', 1, { scored_at: EARLIER, status_type: 'error' });
      await score(first, 'broken', 1);
      await score(first, 'broken', null, { scored_at: '2026-02-02T00:00:00.000Z', status_type: 'error' });
      return { first, call, second, row_id: row_id.toLowerCase() };
    }

    it('names the traces of a run with the rows they were made from, oldest first', async () => {
      const { first, second, row_id } = await logged();
      const traces = [
        { trace_id: first.id, row_id, dataset_input: NASTY },
        { trace_id: second.id, row_id: null, dataset_input: null },
      ];
      expect(await stores.runScores.traces(run.project_id, run.run_id, 10)).toStrictEqual(traces);
      expect(await stores.runScores.traces(run.project_id, run.run_id, 1)).toHaveLength(2);
      expect(await stores.runScores.traces(randomUUID(), run.run_id, 10)).toEqual([]);
    });

    it('adds up the numbers of each trace, by name, type of record and where they come from', async () => {
      const { first, second } = await logged();
      const numbers = await stores.runScores.numbers(run.project_id, run.run_id);
      const one = (trace_id: string, name: string, type: string, sum: number, is_yes_no: boolean, is_score: boolean) => {
        return { trace_id, name, type, sum, count: 1, is_yes_no, is_score };
      };
      const expected = [
        one(first.id, 'good', 'trace', 1, true, true),
        one(first.id, 'good', 'llm', 0, true, true),
        one(second.id, 'good', 'trace', 1, true, true),
        one(first.id, 'duration_ns', 'trace', 10, false, false),
        one(first.id, 'own', 'trace', 4, false, false),
        one(first.id, 'cost', 'llm', 0.5, false, false),
        one(first.id, 'num_total_tokens', 'llm', 7, false, false),
        one(first.id, 'flag', 'llm', 1, true, false),
      ];
      const inOrder = (all: readonly object[]) => all.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
      expect(inOrder(numbers)).toEqual(inOrder(expected));
    });

    it('counts results by metric and value, of selected traces and what is in them', async () => {
      await logged();
      const tallies = async (filters: object[], limit = 100) => {
        const where = { and: filters.map((filter) => ({ filter })) } as never;
        const found = await stores.runScores.tallies({ ...run, level: 'trace', where }, limit);
        return found.map(({ metric_name, value, count }) => JSON.stringify([metric_name, value, count])).sort();
      };
      const texts = (...all: unknown[][]) => all.map((one) => JSON.stringify(one)).sort();
      expect(await tallies([])).toEqual(texts(['good', true, 2], ['good', false, 1], [NASTY, [NASTY], 1]));
      const late = { type: 'collection', column_id: 'tags', operator: 'contains', value: 'late', case_sensitive: true };
      expect(await tallies([late])).toEqual(texts(['good', true, 1], [NASTY, [NASTY], 1]));
      expect(await tallies([], 1)).toEqual(texts(['good', true, 2]));
    });

    it('has totals of whole runs', async () => {
      await logged();
      const other = await newRun(stores, run.project_id);
      await stores.settle();
      const totals = await stores.runTotals.totals(run.project_id, [run.run_id, other.run_id]);
      const found = new Map(totals.map(({ name, type, sum, count }) => [`${name} ${type}`, [sum, count]]));
      expect(found.get('records trace')).toEqual([2, 2]);
      expect(found.get('errors trace')?.[0]).toBe(1);
      expect(found.get('good trace')).toEqual([2, 2]);
      expect(found.get('good llm')).toEqual([0, 1]);
      expect(found.get('cost llm')).toEqual([0.5, 1]);
      expect(totals.every(({ run_id }) => run_id === run.run_id)).toBe(true);
      expect(await stores.runTotals.totals(run.project_id, [])).toEqual([]);
    });
  });
}
