import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewScore } from '../../../core/scores/score.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { newRun, type RecordStores, type RunKey, span, trace, write } from '../traces/record-stores.ts';

export function scoresBelowContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`ScoresBelow, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    let scorer_id: string;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
      scorer_id = randomUUID();
    });
    afterAll(() => stores.close());

    const say = (record: LogRecord, value: NewScore['value'], facts: Partial<NewScore> = {}) => {
      const ids = { ...run, record_id: record.id, scorer_id, scorer_version_id: randomUUID() };
      const said = { status_type: 'success', value, explanation: null, message: null, effort: null, judged: null } as const;
      return stores.scoreStore.insert([{ ...ids, metric_name: 'm', scored_at: '2026-01-01T00:00:00.000Z', ...said, ...facts }]);
    };
    const list = (level: 'trace' | 'session', ...ids: string[]) =>
      stores.scoresBelow.list({ ...run, level, ids, scorer_ids: [scorer_id] });
    const at = (second: number): { created_at: string } => ({ created_at: `2026-01-01T00:00:0${second}.000Z` });

    it('finds what succeeded in a trace, the newest of each record, by start of the records', async () => {
      const root = trace(run, at(1));
      const [late, early, other] = [span(root, at(3)), span(root, at(2)), trace(run)];
      await write(stores, [root, late, early, other]);
      const effort = { model: 'm\0', cost: 0.5, input_tokens: 3, votes: [{ value: true }] };
      await say(late, { a: true }, { effort });
      await say(early, ['x\0']);
      await say(early, false, { scored_at: '2025-12-31T00:00:00.000Z', effort });
      await say(root, 1);
      await say(other, 2);
      await say(early, null, { status_type: 'error', message: 'no' });
      await say(late, 9, { scorer_id: randomUUID() });
      const shared = { under_id: root.id, scorer_id };
      const found = await list('trace', root.id, randomUUID());
      expect(found.toSorted((a, b) => Number(b.is_trace) - Number(a.is_trace))).toStrictEqual([
        { ...shared, is_trace: true, values: [1], spent: [] },
        {
          ...shared,
          is_trace: false,
          values: [['x\0'], { a: true }],
          spent: [{ model: 'm\0', cost: 0.5, input_tokens: 3 }],
        },
      ]);
    });

    it('reads numbers as they were given', async () => {
      const root = trace(run, at(0));
      const given = [0.1, 1e-320, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 1e21];
      const steps = given.map((_, second) => span(root, at(second)));
      await write(stores, [root, ...steps]);
      for (const [index, value] of given.entries()) await say(steps[index]!, value);
      expect((await list('trace', root.id)).map(({ values }) => values)).toEqual([given]);
    });

    it('finds what stands below sessions, also below a trace that is one by itself', async () => {
      const session_id = randomUUID();
      const [one, two, alone] = [trace(run, { session_id, ...at(1) }), trace(run, { session_id, ...at(2) }), trace(run, at(3))];
      const leaf = span(two, at(4));
      await write(stores, [one, two, leaf, alone]);
      for (const [index, record] of [one, two, leaf, alone].entries()) await say(record, index);
      const found = await list('session', session_id, alone.id);
      const of = (id: string, is_trace: boolean) =>
        found.filter((one) => one.under_id === id && one.is_trace === is_trace).map(({ values }) => values);
      expect([of(session_id, true), of(session_id, false), of(alone.id, true)]).toEqual([[[0, 1]], [[2]], [[3]]]);
      expect(found).toHaveLength(3);
      expect(await list('session', randomUUID())).toEqual([]);
    });
  });
}
