import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Completion } from '../../../core/plugin-sdk/index.ts';
import { newRun, type RecordStores, type RunKey } from '../traces/record-stores.ts';

const NOW = '2026-01-02T00:00:00.000Z';
const LATER = '2026-01-03T00:00:00.000Z';
const completion = (text: string): Completion => ({
  text,
  value: { rating: [true, text] },
  usage: { input_tokens: 3 },
  finish_reason: 'stop',
  model: 'm',
});

export function answerCacheContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`AnswerCache, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    let key: string;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
      key = randomUUID();
    });
    afterAll(() => stores.close());

    const keep = (text: string, expires_at = LATER) =>
      stores.answerCache.keep({ ...run, key, completion: completion(text), expires_at });
    const find = (now = NOW, project_id = run.project_id) => stores.answerCache.find(project_id, key, now);

    it('gives back what was kept, to its project alone', async () => {
      expect(await find()).toBeUndefined();
      await keep('NUL \0 half \ud83e');
      expect(await find()).toStrictEqual(completion('NUL \0 half \ud83e'));
      expect(await find(NOW, randomUUID())).toBeUndefined();
    });

    it('keeps the later of two answers', async () => {
      await keep('first');
      await keep('second');
      expect((await find())?.text).toBe('second');
    });

    it('knows nothing of what is past its time, and forgets it', async () => {
      await keep('old', NOW);
      expect(await find()).toBeUndefined();
      expect((await find('2026-01-01T00:00:00.000Z'))?.text).toBe('old');
      await stores.answerCache.forget(NOW);
      expect(await find('2026-01-01T00:00:00.000Z')).toBeUndefined();
    });

    it('loses what a run asked first with the run', async () => {
      await keep('gone');
      const other = await newRun(stores, run.project_id);
      await stores.traceStore.removeAll(run.project_id, other.run_id);
      expect(await find()).toBeDefined();
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await find()).toBeUndefined();
    });
  });
}
