import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewScore } from '../../../core/scorers/scores/score.ts';
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

    it('finds what succeeded in a trace, by start of the records', async () => {
      const root = trace(run, at(1));
      const [late, early, other] = [span(root, at(3)), span(root, at(2)), trace(run)];
      await write(stores, [root, late, early, other]);
      const effort = { model: 'm\0', cost: 0.5, input_tokens: 3, votes: [{ value: true }] };
      await say(late, { a: true }, { effort });
      await say(early, ['x\0']);
      await say(root, 1);
      await say(other, 2);
      await say(early, null, { status_type: 'error', message: 'no' });
      await say(late, 9, { scorer_id: randomUUID() });
      const shared = { under_id: root.id, scorer_id, effort: null };
      expect(await list('trace', root.id, randomUUID())).toStrictEqual([
        { ...shared, record_id: root.id, is_trace: true, value: 1 },
        { ...shared, record_id: early.id, is_trace: false, value: ['x\0'] },
        {
          ...shared,
          record_id: late.id,
          is_trace: false,
          value: { a: true },
          effort: { model: 'm\0', cost: 0.5, input_tokens: 3 },
        },
      ]);
    });

    it('finds what stands below sessions, also below a trace that is one by itself', async () => {
      const session_id = randomUUID();
      const [one, two, alone] = [trace(run, { session_id, ...at(1) }), trace(run, { session_id, ...at(2) }), trace(run, at(3))];
      const leaf = span(two, at(4));
      await write(stores, [one, two, leaf, alone]);
      for (const [index, record] of [one, two, leaf, alone].entries()) await say(record, index);
      const found = await list('session', session_id, alone.id);
      expect(found.map(({ under_id, value }) => [under_id, value])).toEqual([
        [session_id, 0],
        [session_id, 1],
        [alone.id, 3],
        [session_id, 2],
      ]);
      expect(await list('session', randomUUID())).toEqual([]);
    });
  });
}
