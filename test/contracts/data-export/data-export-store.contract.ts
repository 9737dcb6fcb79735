import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ExportChange, ExportClaim, ExportedState } from '../../../core/data-export/data-export-store.ts';
import type { AnnotationTemplate } from '../../../core/ratings/annotation-template.ts';
import type { NewScore } from '../../../core/scores/score.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { getFixture, newRun, type RecordStores, type RunKey, span, trace, write } from '../traces/record-stores.ts';

const NOW = '2026-03-01T00:00:00.000Z';
const LATER = '2026-03-01T00:05:00.000Z';
const AFTER = '2026-03-01T00:06:00.000Z';
const DAY = '2026-01-02';

const score = ({ project_id, run_id, id }: LogRecord, facts: Partial<NewScore> = {}): NewScore => ({
  ...{ project_id, run_id, record_id: id, scorer_id: randomUUID(), scorer_version_id: randomUUID() },
  ...{ metric_name: 'm', status_type: 'success', value: 0.5, explanation: null, message: null, scored_at: NOW, effort: null },
  judged: 'first',
  ...facts,
});

export function dataExportStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`DataExportStore, ${adapter}`, () => {
    const fixture = getFixture(open);
    const enable = async (content: readonly ('records' | 'scores')[] = ['records', 'scores']) => {
      const { stores, run } = fixture();
      await stores.dataExportStore.set(run.project_id, { is_enabled: true, content }, NOW);
    };
    /** Claims until it is the turn of this project: others of the same stores are put off. */
    const claim = async (now = NOW, until = LATER): Promise<ExportClaim | undefined> => {
      const { stores, run } = fixture();
      for (;;) {
        const claimed = await stores.dataExportStore.claim(now, until);
        if (!claimed || claimed.project_id === run.project_id) return claimed;
        await stores.dataExportStore.release(claimed, '9999-01-01T00:00:00.000Z');
      }
    };
    /** Claims once everything that stood before is on the list. */
    const claimDay = async (now = NOW, until = LATER): Promise<ExportClaim & { readonly day: string }> => {
      const { stores } = fixture();
      await stores.settle();
      for (;;) {
        const claimed = (await claim(now, until))!;
        if (claimed.is_walking) await stores.dataExportStore.walk(claimed, 2, now);
        else if (claimed.day !== undefined) return claimed as ExportClaim & { readonly day: string };
        else throw new Error('nothing waits');
      }
    };
    const list = ({ project_id, day }: { project_id: string; day: string }) =>
      fixture().stores.dataExportStore.listChanges(project_id, day, 100);
    const STATE: ExportedState = { version: 'v1', scores: {}, session_scores: {}, ratings: {} };
    const commit = (claimed: ExportClaim, changes: readonly ExportChange[], state: ExportedState | undefined = STATE) =>
      fixture().stores.dataExportStore.commit(claimed, {
        changes: changes.map((change) => ({ ...change, state })),
        files: [],
        due_at: NOW,
        merge_at: null,
      });
    const exportAll = async () => {
      const claimed = await claimDay();
      await commit(claimed, await list(claimed));
    };
    const waiting = async () => {
      const { stores, run } = fixture();
      await stores.settle();
      return (await stores.dataExportStore.find(run.project_id))!.num_waiting;
    };

    it('knows nothing of a project that never had an export, and takes none that is not enabled', async () => {
      const { stores, run } = fixture();
      expect(await stores.dataExportStore.find(run.project_id)).toBeUndefined();
      await stores.dataExportStore.set(run.project_id, { is_enabled: false, content: ['scores'] }, NOW);
      await write(stores, [trace(run)]);
      await stores.settle();
      expect(await claim()).toBeUndefined();
      expect(await stores.dataExportStore.find(run.project_id)).toMatchObject({
        ...{ is_enabled: false, content: ['scores'], num_files: 0, last_file: null, failure: null, failures: 0 },
      });
    });

    it('lists what stood before it was enabled, and what came after, by day', async () => {
      const { stores, run } = fixture();
      const before = [trace(run), trace(run), trace(run, { created_at: '2026-01-01T23:59:59.999999Z' })];
      await write(stores, before);
      await stores.settle();
      await enable();
      expect(await stores.dataExportStore.find(run.project_id)).toMatchObject({ is_unfinished: true });
      const after = trace(run);
      await write(stores, [after]);
      const claimed = await claimDay();
      expect(claimed).toMatchObject({ project_id: run.project_id, sequence: 1, is_repeated: false, is_removed: false });
      expect(await waiting()).toBe(4);
      const days = await Promise.all([DAY, '2026-01-01'].map((day) => list({ project_id: run.project_id, day })));
      const ids = days.map((changes) => changes.map(({ record_id }) => record_id).sort());
      expect(ids).toEqual([[before[0]!.id, before[1]!.id, after.id].sort(), [before[2]!.id]]);
      expect(days.flat().every(({ run_id, exported }) => run_id === run.run_id && exported === undefined)).toBe(true);
    });

    it('lists a record again when it, a score of it, or a flag of it changes, with what is exported of it', async () => {
      const { stores, run } = fixture();
      await enable();
      const root = trace(run, { is_complete: false });
      await write(stores, [root]);
      await exportAll();
      expect(await stores.dataExportStore.find(run.project_id)).toMatchObject({ is_unfinished: false, num_waiting: 0 });
      const same = { ...root };
      await write(stores, [same]);
      expect(await waiting()).toBe(0);
      const expectChange = async () => {
        const claimed = await claimDay();
        const changes = await list(claimed);
        expect(changes.map(({ record_id, exported }) => [record_id, exported])).toEqual([[root.id, STATE]]);
        await commit(claimed, changes);
        expect(await waiting()).toBe(0);
      };
      await write(stores, [{ ...root, output: 'another' }]);
      await expectChange();
      await stores.scoreStore.insert([score(root)]);
      await expectChange();
      const child = span(root);
      await write(stores, [child], { new_parents: [root.id] });
      await stores.settle();
      const claimed = await claimDay();
      const changes = await list(claimed);
      expect(changes.map(({ record_id }) => record_id).sort()).toEqual([root.id, child.id].sort());
      await commit(claimed, changes);
      await stores.recordRemoval.removeSpans(run.project_id, run.run_id, [child.id]);
      expect(await waiting()).toBe(2);
    });

    it('lists a record and a session again when one of them is rated or the session is scored, with what is exported of it', async () => {
      const { stores, run } = fixture();
      const { ratingStore, sessionScoreStore, sessionStore } = stores;
      await enable();
      const times = { created_at: '2026-01-03T00:00:00.000Z', updated_at: NOW };
      const talk = {
        ...run,
        id: randomUUID(),
        name: null,
        external_id: null,
        previous_session_id: null,
        user_metadata: {},
        ...times,
      };
      await sessionStore.findOrInsert(talk, true);
      const root = trace(run, { session_id: talk.id });
      await write(stores, [root]);
      await exportAll();
      // A store may list sessions of which there is nothing to export.
      if ((await waiting()) > 0) {
        const claimed = await claimDay();
        const changes = (await list(claimed)).map((change) => ({ ...change, state: undefined }));
        await stores.dataExportStore.commit(claimed, { changes, files: [], due_at: NOW, merge_at: null });
      }
      const kept: ExportedState = {
        version: 'v1',
        scores: { v: 's' },
        session_scores: { v: 't' },
        ratings: { '["a","b",null]': 'r' },
      };
      const expectChange = async (id: string, day: string, exported: ExportedState | undefined) => {
        const claimed = await claimDay();
        expect(claimed.day).toBe(day);
        const changes = await list(claimed);
        expect(changes.map((change) => [change.record_id, change.exported])).toEqual([[id, exported]]);
        await commit(claimed, changes, kept);
        expect(await waiting()).toBe(0);
      };
      const by = randomUUID();
      const template: AnnotationTemplate = {
        ...{ id: randomUUID(), project_id: run.project_id, name: 'fit', annotation_type: 'star', instructions: '', choices: [] },
        ...{ min: 1, max: 5, truth_rule: 'median', created_by: by, created_at: NOW, updated_at: NOW },
      };
      await ratingStore.insertTemplate(template);
      const rate = (record_id: string) => ({ ...run, record_id, value: 4, explanation: 'so \u0000', rated_at: NOW });
      await ratingStore.putFeedback({ ...rate(root.id), name: 'stars', feedback_type: 'star' });
      await expectChange(root.id, DAY, STATE);
      await ratingStore.putAnnotation({ ...rate(talk.id), template_id: template.id, annotator_id: by, is_decision: true });
      await expectChange(talk.id, '2026-01-03', undefined);
      await sessionScoreStore.insert([score({ ...root, id: talk.id })]);
      await expectChange(talk.id, '2026-01-03', kept);
      const keys = [root.id, talk.id].map((record_id) => ({ run_id: run.run_id, record_id }));
      const ratings = await stores.dataExportStore.listRatings(run.project_id, keys);
      const said = { value: 4, explanation: 'so \u0000', rating_type: 'star', rated_at: NOW };
      expect(ratings.map(({ rated_at, ...rating }) => ({ ...rating, rated_at: new Date(rated_at).toISOString() }))).toEqual(
        [
          { ...run, ...said, record_id: root.id, source: 'feedback', name: 'stars', annotator_id: null, is_decision: false },
          { ...run, ...said, record_id: talk.id, source: 'annotation', name: template.id, annotator_id: by, is_decision: true },
        ].sort((a, b) => (ratings[0]!.record_id === a.record_id ? -1 : ratings[0]!.record_id === b.record_id ? 1 : 0)),
      );
      const scores = await stores.dataExportStore.listScores(run.project_id, keys);
      expect(scores.map(({ record_id, of_session }) => [record_id, of_session])).toEqual([[talk.id, true]]);
      const sessions = await stores.dataExportStore.listSessions(run.project_id, keys);
      expect(sessions.map(({ record_id, run_id, created_at }) => [record_id, run_id, created_at.slice(0, 10)])).toEqual([
        [talk.id, run.run_id, '2026-01-03'],
      ]);
      await ratingStore.removeTemplate(run.project_id, template.id);
      await expectChange(talk.id, '2026-01-03', kept);
      await stores.sessionStore.remove({ ...run, where: { and: [] } });
      expect(await waiting()).toBe(2);
    });

    it('lists sessions that stood before it was enabled', async () => {
      const { stores, run } = fixture();
      const session = { ...run, id: randomUUID(), name: 'talk', external_id: null, previous_session_id: null, user_metadata: {} };
      await stores.sessionStore.findOrInsert({ ...session, created_at: `${DAY}T00:00:00.000Z`, updated_at: NOW }, true);
      const scored = { ...trace(run), id: session.id };
      expect(await stores.sessionScoreStore.insert([score(scored)])).toBe(1);
      await stores.settle();
      await enable();
      expect((await list(await claimDay())).map(({ record_id }) => record_id)).toEqual([session.id]);
    });

    it('names a day whose files are due to be put together once nothing waits, until it is done with', async () => {
      const { stores, run } = fixture();
      const { dataExportStore } = stores;
      await enable();
      const root = trace(run);
      const writeFile = async (output: string, num_files: number, merge_at: string | null) => {
        await write(stores, [{ ...root, output }]);
        const claimed = await claimDay();
        const changes = (await list(claimed)).map((change) => ({ ...change, state: STATE }));
        const files = Array.from({ length: num_files }, () => ({ key: 'a/b', num_rows: 1, num_bytes: 1, written_at: NOW }));
        await dataExportStore.commit(claimed, { changes, files, due_at: NOW, merge_at });
      };
      const look = async (now: string) => {
        const claimed = (await claim(now, now))!;
        await dataExportStore.release(claimed, NOW);
        return claimed.merge;
      };
      await writeFile('a', 1, null);
      await writeFile('b', 0, LATER);
      expect(await look(AFTER)).toBeUndefined();
      await writeFile('c', 1, LATER);
      expect(await look(NOW)).toBeUndefined();
      expect(await look(LATER)).toEqual({ day: DAY, due_at: LATER, remove_at: null });
      await writeFile('d', 1, AFTER);
      expect(await look(LATER)).toEqual({ day: DAY, due_at: LATER, remove_at: null });
      const overtaken = (await claim(LATER, LATER))!;
      const claimed = (await claim(AFTER, AFTER))!;
      const next = { day: DAY, due_at: AFTER, remove_at: AFTER };
      expect(await dataExportStore.keepDay(overtaken, DAY, undefined, NOW)).toBe(false);
      expect(await dataExportStore.keepDay(claimed, DAY, next, NOW)).toBe(true);
      expect(await look(LATER)).toBeUndefined();
      expect(await look(AFTER)).toEqual(next);
      await dataExportStore.keepDay((await claim(AFTER))!, DAY, undefined, NOW);
      expect(await look('2027-01-01T00:00:00.000Z')).toBeUndefined();
    });

    it('lists a record under both days when its day changes', async () => {
      const { stores, run } = fixture();
      await enable();
      const root = trace(run);
      await write(stores, [root]);
      await exportAll();
      await write(stores, [{ ...root, created_at: '2026-01-05T00:00:00.000Z' }]);
      await stores.settle();
      const [old, now] = await Promise.all([DAY, '2026-01-05'].map((day) => list({ project_id: run.project_id, day })));
      expect(old!.map(({ exported }) => exported)).toEqual([STATE]);
      expect(now!.map(({ exported }) => exported)).toEqual([undefined]);
    });

    it('lists what was exported of records, and of runs, that are removed', async () => {
      const { stores, run } = fixture();
      const other = await newRun(stores, run.project_id);
      await enable();
      const [one, two] = [trace(run), trace(other)];
      await write(stores, [one]);
      await write(stores, [two]);
      await exportAll();
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [one.id]);
      await stores.transactions.run(() => stores.traceStore.removeAll(run.project_id, other.run_id));
      const claimed = await claimDay();
      const changes = await list(claimed);
      expect(changes.map(({ record_id }) => record_id).sort()).toEqual([one.id, two.id].sort());
      expect(await stores.dataExportStore.readRecords(run.project_id, changes, 1_000)).toEqual({ records: [], settled: 2 });
      await commit(claimed, changes, undefined);
      expect(await waiting()).toBe(0);
    });

    it('keeps a change on the list that came while the files were written', async () => {
      const { stores, run } = fixture();
      await enable();
      const [root, other] = [trace(run), trace(run)];
      await write(stores, [root, other]);
      const claimed = await claimDay();
      const changes = await list(claimed);
      await write(stores, [{ ...root, output: 'changed meanwhile' }]);
      await stores.settle();
      expect(await commit(claimed, changes)).toBe(true);
      expect(await waiting()).toBe(1);
      expect((await list(await claimDay())).map(({ record_id }) => record_id)).toEqual([root.id]);
    });

    it('keeps a run on the list that was deleted while the files were written', async () => {
      const { stores, run } = fixture();
      await enable();
      await write(stores, [trace(run)]);
      const claimed = await claimDay();
      const changes = await list(claimed);
      await stores.transactions.run(() => stores.traceStore.removeAll(run.project_id, run.run_id));
      await commit(claimed, changes);
      expect(await waiting()).toBe(1);
    });

    it('gives a project to one at a time, and what was begun to the next one again', async () => {
      const { stores, run } = fixture();
      await enable();
      await write(stores, [trace(run), trace(run, { created_at: '2026-01-09T00:00:00.000Z' })]);
      const first = await claimDay();
      expect(await claim()).toBeUndefined();
      const second = await claimDay(AFTER, '2026-03-01T01:00:00.000Z');
      expect(second).toMatchObject({ day: first.day, sequence: first.sequence, is_repeated: true });
      expect(await commit(first, await list(first))).toBe(false);
      expect(await stores.dataExportStore.release(first, NOW)).toBe(false);
      expect(await stores.dataExportStore.fail(first, 'late', NOW, NOW)).toBe(false);
      expect(await commit(second, await list(second))).toBe(true);
      expect(await claim(AFTER)).toMatchObject({ is_repeated: false, sequence: 1 });
    });

    it('lets many ask at once, and gives a project to one of them', async () => {
      const { stores } = fixture();
      await enable();
      const claims = await Promise.all(Array.from({ length: 8 }, () => stores.dataExportStore.claim(NOW, LATER)));
      const projects = claims.flatMap((one) => one?.project_id ?? []);
      expect(new Set(projects).size).toBe(projects.length);
      expect(projects).toContain(fixture().run.project_id);
    });

    it('counts files by one number for all that are written together', async () => {
      const { stores, run } = fixture();
      await enable();
      await write(stores, [trace(run)]);
      const claimed = await claimDay();
      const file = { key: 'a/b', num_rows: 3, num_bytes: 40, written_at: NOW };
      const changes = (await list(claimed)).map((change) => ({ ...change, state: STATE }));
      await stores.dataExportStore.commit(claimed, {
        changes,
        files: [file, { ...file, key: 'a/c' }],
        due_at: AFTER,
        merge_at: null,
      });
      expect(await claim()).toBeUndefined();
      expect(await claim(AFTER)).toMatchObject({ sequence: 2, day: undefined });
      expect(await stores.dataExportStore.find(run.project_id)).toMatchObject({
        ...{ num_files: 2, num_rows: 6, num_bytes: 80, last_file: { ...file, key: 'a/c' }, num_waiting: 0, waiting_since: null },
      });
    });

    it('remembers why it failed, since when and how often, until it goes well', async () => {
      const { stores, run } = fixture();
      await enable();
      const { dataExportStore } = stores;
      await dataExportStore.fail((await claim())!, 'away \u0000', NOW, NOW);
      await dataExportStore.fail((await claim(LATER))!, 'still away', LATER, AFTER);
      const failing = { failure: 'still away', failures: 2, failing_since: NOW, due_at: AFTER };
      expect(await dataExportStore.find(run.project_id)).toMatchObject(failing);
      expect((await dataExportStore.summary()).num_failing).toBe(1);
      expect(await claim(LATER)).toBeUndefined();
      await dataExportStore.release((await claim(AFTER))!, AFTER);
      expect(await dataExportStore.find(run.project_id)).toMatchObject({ failure: null, failures: 0, failing_since: null });
    });

    it('reads records and scores by key, the first ones up to a number of bytes', async () => {
      const { stores, run } = fixture();
      const other = await newRun(stores, run.project_id);
      const id = randomUUID();
      const records = [trace(run, { id, input: 'a'.repeat(900) }), trace(other, { id, input: 'b'.repeat(900) }), trace(run)];
      for (const record of records) await write(stores, [record]);
      await stores.scoreStore.insert([score(records[0]!, { value: 1 }), score(records[1]!, { value: 2 })]);
      const keys = records.map((record) => ({ run_id: record.run_id, record_id: record.id }));
      const asked = [keys[0]!, { run_id: run.run_id, record_id: randomUUID() }, keys[1]!, keys[2]!];
      const { dataExportStore } = stores;
      const all = await dataExportStore.readRecords(run.project_id, asked, 1_000_000);
      expect(all.settled).toBe(4);
      expect(all.records.map(({ run_id, input }) => [run_id, input])).toEqual(
        records.map(({ run_id, input }) => [run_id, input]),
      );
      const first = await dataExportStore.readRecords(run.project_id, asked, 500);
      expect(first.records.map(({ run_id }) => run_id)).toEqual([run.run_id]);
      const rest = await dataExportStore.readRecords(run.project_id, asked.slice(first.settled), 1_000_000);
      expect([first.records, rest.records].flat().map(({ input }) => input)).toEqual(all.records.map(({ input }) => input));
      const scores = await dataExportStore.listScores(run.project_id, [keys[1]!, keys[2]!]);
      expect(scores.map(({ run_id, value }) => [run_id, value])).toEqual([[other.run_id, 2]]);
    });

    it('looks at everything again, deleted records as well, when it is enabled again or writes another kind of files', async () => {
      const { stores, run } = fixture();
      await enable(['records']);
      const [kept, gone] = [trace(run), trace(run)];
      await write(stores, [kept, gone]);
      await exportAll();
      await enable(['records']);
      expect((await claim())!.is_walking).toBe(false);
      await stores.dataExportStore.set(run.project_id, { is_enabled: false, content: ['records'] }, NOW);
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [gone.id]);
      await stores.settle();
      const again = { is_enabled: true, content: ['records', 'scores'] } as const;
      await stores.dataExportStore.set(run.project_id, again, NOW);
      const changes = await list(await claimDay(AFTER, '2026-03-01T01:00:00.000Z'));
      expect(changes.map(({ record_id, exported }) => [record_id, exported]).sort()).toEqual(
        [kept, gone].map(({ id }) => [id, STATE]).sort(),
      );
    });

    it('forgets what is exported when it begins anew at another target', async () => {
      const { stores, run } = fixture();
      await enable();
      await write(stores, [trace(run)]);
      await exportAll();
      const claimed = (await claim())!;
      expect(await stores.dataExportStore.restart(claimed, 's3://elsewhere/', NOW)).toBe(true);
      const again = await claimDay();
      expect(again.target).toBe('s3://elsewhere/');
      expect((await list(again)).map(({ exported }) => exported)).toEqual([undefined]);
    });

    it('gives a project that is deleted to whoever removes its files, once a claim of it has ended', async () => {
      const { stores, run } = fixture();
      const { dataExportStore } = stores;
      await enable();
      await write(stores, [trace(run)]);
      const before = await claimDay();
      await stores.transactions.run(() => stores.traceStore.removeAll(run.project_id));
      expect(await dataExportStore.find(run.project_id)).toBeUndefined();
      expect(await commit(before, [])).toBe(false);
      expect(await claim(NOW)).toBeUndefined();
      // PostgreSQL has a clock of its own.
      const claimed = await claim('2099-01-01T00:00:00.000Z', '2099-01-01T00:01:00.000Z');
      expect(claimed).toMatchObject({ project_id: run.project_id, is_removed: true, day: undefined });
      expect(await dataExportStore.forget(claimed!)).toBe(true);
      expect(await claim('2099-01-02T00:00:00.000Z')).toBeUndefined();
    });

    it('minds nothing of projects apart', async () => {
      const { stores, run } = fixture();
      const other: RunKey = await newRun(stores);
      await enable();
      await write(stores, [trace(other)]);
      await stores.settle();
      expect(await waiting()).toBe(0);
      expect(await stores.dataExportStore.find(other.project_id)).toBeUndefined();
      expect(await stores.dataExportStore.find(run.project_id)).toBeDefined();
    });
  });
}
