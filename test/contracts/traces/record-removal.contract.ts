import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Score } from '../../../core/scores/score.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { newRun, type RecordStores, type RunKey, span, trace, write } from './record-stores.ts';

const SCORED = {
  scorer_version_id: '22222222-2222-4222-8222-222222222222',
  metric_name: 'reply_length',
  status_type: 'success',
  value: 1,
  explanation: null,
  message: null,
  effort: null,
  judged: null,
  times_scored: 1,
  scored_at: '2026-01-02T03:04:05.678Z',
} as const;
const SCORER = '33333333-3333-4333-8333-333333333333';
const OTHER_SCORER = '44444444-4444-4444-8444-444444444444';

/** Removal of records and of scores. The stores are opened once; every test works in a run of its own. */
export function recordRemovalContract(adapter: string, open: () => Promise<RecordStores>): void {
  let stores: RecordStores;
  let run: RunKey;
  const ids = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);
  const score = async (records: readonly LogRecord[], scorer_id = SCORER): Promise<void> => {
    const scorer_version_id = scorer_id === SCORER ? SCORED.scorer_version_id : OTHER_SCORER;
    const scores = records.map(({ id }): Score => ({ ...run, ...SCORED, record_id: id, scorer_id, scorer_version_id }));
    await stores.scoreStore.insert(scores);
  };
  const toScores = async (records: readonly LogRecord[]): Promise<string[]> => {
    const scores = await stores.scoreStore.list(run.project_id, run.run_id, ids(records));
    return scores.map(({ record_id, scorer_id }) => `${record_id} ${scorer_id}`).sort();
  };
  const family = async (facts: Partial<LogRecord> = {}) => {
    const root = trace(run, { has_children: true, ...facts });
    const parent = span(root, { type: 'workflow', has_children: true });
    const child = span(parent, { parent_id: parent.id });
    const records = [root, parent, child];
    await write(stores, records);
    return { root, parent, child, records };
  };
  const exists = async ({ id }: LogRecord): Promise<boolean> =>
    (await stores.traceStore.find(run.project_id, id, run.run_id)) !== undefined;

  beforeAll(async () => {
    stores = await open();
  });
  beforeEach(async () => {
    run = await newRun(stores);
  });
  afterAll(() => stores.close());

  describe(`RecordRemoval, ${adapter}`, () => {
    const removeTraces = (...records: LogRecord[]) => stores.recordRemoval.removeTraces(run.project_id, run.run_id, ids(records));
    const removeSpans = (...records: LogRecord[]) => stores.recordRemoval.removeSpans(run.project_id, run.run_id, ids(records));
    const counted = async () => {
      await stores.settle();
      return (await stores.traceStore.counts(run.project_id, [run.run_id])).get(run.run_id);
    };

    it('takes traces away with all below them and their scores, and leaves others alone', async () => {
      const [gone, other] = [await family(), await family()];
      await score([...gone.records, ...other.records]);
      expect(await removeTraces(gone.root)).toEqual({ traces: 1, spans: 2, sessions: 0 });
      expect(await Promise.all(gone.records.map(exists))).toEqual([false, false, false]);
      expect(await Promise.all(other.records.map(exists))).toEqual([true, true, true]);
      expect(await toScores(gone.records)).toEqual([]);
      expect(await toScores(other.records)).toHaveLength(3);
    });

    it('is counted', async () => {
      const [gone] = [await family(), await family()];
      expect(await counted()).toEqual({ num_traces: 2, num_spans: 4 });
      await removeTraces(gone.root);
      expect(await counted()).toEqual({ num_traces: 1, num_spans: 2 });
    });

    it('leaves the same ids of another run alone', async () => {
      const other = await newRun(stores, run.project_id);
      const { root, records } = await family();
      await write(
        stores,
        records.map((record) => ({ ...record, ...other })),
      );
      await removeTraces(root);
      expect(await stores.traceStore.listTrace(run.project_id, other.run_id, root.id)).toHaveLength(3);
    });

    it('removes nothing twice, and nothing of unknown traces', async () => {
      const { root } = await family();
      await removeTraces(root);
      expect(await removeTraces(root, trace(run))).toEqual({ traces: 0, spans: 0, sessions: 0 });
    });

    it('takes a trace of several thousand spans away', async () => {
      const root = trace(run, { has_children: true });
      await write(stores, [root, ...Array.from({ length: 4_100 }, () => span(root))]);
      expect(await removeTraces(root)).toEqual({ traces: 1, spans: 4_100, sessions: 0 });
      expect(await stores.traceStore.listTrace(run.project_id, run.run_id, root.id)).toEqual([]);
    });

    it('takes a session that traces were logged under away with the last of them', async () => {
      const session_id = randomUUID();
      const [first, last] = [await family({ session_id }), await family({ session_id })];
      expect(await removeTraces(first.root)).toMatchObject({ sessions: 0 });
      expect(await stores.sessionStore.find(run.project_id, session_id)).toMatchObject({ num_traces: 1 });
      expect(await removeTraces(last.root)).toMatchObject({ sessions: 1 });
      expect(await stores.sessionStore.find(run.project_id, session_id)).toBeUndefined();
    });

    it('leaves a session that somebody created, though it is empty', async () => {
      const session_id = randomUUID();
      const facts = { name: 'mine', external_id: 'e', previous_session_id: null, user_metadata: {} };
      const moment = '2026-01-02T03:04:05.678Z';
      const session = { ...run, id: session_id, ...facts, created_at: moment, updated_at: moment };
      await stores.sessionStore.findOrInsert(session, true);
      const { root } = await family({ session_id });
      expect(await removeTraces(root)).toMatchObject({ sessions: 0 });
      expect(await stores.sessionStore.find(run.project_id, session_id)).toMatchObject({ num_traces: 0 });
    });

    it('takes spans away with their scores, and tells parents that are left without children', async () => {
      const { root, parent, child, records } = await family();
      await score(records);
      expect(await removeSpans(child)).toEqual({ traces: 0, spans: 1, sessions: 0 });
      expect(await stores.traceStore.find(run.project_id, parent.id)).toMatchObject({ has_children: false });
      expect(await stores.traceStore.find(run.project_id, root.id)).toMatchObject({ has_children: true });
      expect(await toScores([child])).toEqual([]);
      expect(await toScores([root, parent])).toHaveLength(2);
    });

    it('takes no trace for a span', async () => {
      const { root } = await family();
      expect(await removeSpans(root)).toEqual({ traces: 0, spans: 0, sessions: 0 });
      expect(await exists(root)).toBe(true);
    });
  });

  describe(`Rescoring, ${adapter}`, () => {
    const rescore = (traces: readonly LogRecord[], scorer_ids: readonly string[], until = '2026-01-02T03:04:05.678Z') =>
      stores.rescoring.rescore(run.project_id, run.run_id, ids(traces), scorer_ids, until);

    it('removes what the scorers said of the traces and all in them, and asks for scoring', async () => {
      const [judged, other] = [await family(), await family()];
      await score([...judged.records, ...other.records]);
      await score(judged.records, OTHER_SCORER);
      expect(await rescore([judged.root], [SCORER])).toBe(3);
      expect(await toScores(judged.records)).toEqual(judged.records.map(({ id }) => `${id} ${OTHER_SCORER}`).sort());
      expect(await toScores(other.records)).toHaveLength(3);
      expect(await stores.jobs(run)).toEqual([{ ...run, trace_ids: [judged.root.id] }]);
    });

    it('asks for scoring where there was no result yet', async () => {
      const { root } = await family();
      expect(await rescore([root], [SCORER])).toBe(0);
      expect(await stores.jobs(run)).toHaveLength(1);
    });

    it('leaves what was said later', async () => {
      const { root, records } = await family();
      await score(records);
      expect(await rescore([root], [SCORER], '2026-01-02T03:04:05.677Z')).toBe(0);
      expect(await toScores(records)).toHaveLength(3);
    });

    it('asks for nothing without traces', async () => {
      expect(await rescore([], [SCORER])).toBe(0);
      expect(await stores.jobs(run)).toEqual([]);
    });
  });
}
