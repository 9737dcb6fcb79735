import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewScore, Score } from '../../../core/scores/score.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';

const VERSION = '22222222-2222-4222-8222-222222222222';

function score({ project_id, run_id, id }: LogRecord, facts: Partial<Score> = {}): Score {
  return {
    project_id,
    run_id,
    record_id: id,
    scorer_id: randomUUID(),
    scorer_version_id: randomUUID(),
    metric_name: 'reply_length',
    status_type: 'success',
    value: 1,
    explanation: null,
    message: null,
    effort: null,
    judged: null,
    times_scored: 1,
    scored_at: '2026-01-02T03:04:05.678Z',
    ...facts,
  };
}

/** The stores are opened once; every test works in a run of its own. */
export function scoreStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`ScoreStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    let record: LogRecord;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
      record = trace(run);
      await write(stores, [record]);
    });
    afterAll(() => stores.close());

    const list = (...records: LogRecord[]) =>
      stores.scoreStore.list(
        run.project_id,
        run.run_id,
        records.map(({ id }) => id),
      );

    it.each<[string, Partial<Score>]>([
      ['a number', { value: 0.1 }],
      ['a boolean', { value: false }],
      [
        'a text with everything',
        { value: 'NUL \0 half \ud83e private \uf8ff \u{1f99c}', explanation: '\0', metric_name: 'é "\' /' },
      ],
      ['a list', { value: [1, true, 'x\0', null] }],
      ['null', { value: null }],
      ['a text "null"', { value: 'null' }],
      ['an error', { status_type: 'error', value: null, message: 'line 3: \udd9c\0' }],
      ['a failure', { status_type: 'failed', value: null, message: '' }],
      ['what does not apply', { status_type: 'not_applicable', value: null, message: 'no output' }],
      [
        'what it took',
        { effort: { model: 'a', num_judges: 2, votes: [{ value: true, explanation: '\0 \udd9c' }], cost: null, agreement: 0.5 } },
      ],
      ['the state it was made of', { judged: '2026-01-02T03:04:05.678901Z' }],
    ])('gives back what was stored: %s', async (_what, facts) => {
      const given = score(record, { ...facts, scored_at: '2026-01-02T03:04:05.678901Z' });
      await stores.scoreStore.insert([given]);
      expect(await list(record)).toStrictEqual([given]);
    });

    it('tells each of many calls at once how many of its own scores were stored, and stores each of them once', async () => {
      const others = Array.from({ length: 5 }, () => trace(run));
      await write(stores, others);
      const known = score(record, { scorer_version_id: VERSION, value: 'first' });
      await stores.scoreStore.insert([known]);
      const gone = trace(run);
      const twice = others.map((one) => score(one));
      const later = score(record, { scored_at: '2026-01-02T03:04:06.000Z' });
      const calls = [[known, later], [], [score(gone)], twice, [{ ...known, value: 'again' }], twice];
      const stored = await Promise.all(calls.map((scores) => stores.scoreStore.insert(scores)));
      expect(stored.slice(0, 3)).toEqual([1, 0, 0]);
      expect(stored[4]).toBe(0);
      expect([stored[3], stored[5]].toSorted()).toEqual([0, 5]);
      expect(await list(record)).toMatchObject([{ value: 'first' }, { value: 1 }]);
      expect(await list(...others)).toHaveLength(5);
    });

    it('keeps the first result of a scorer version, however often it is repeated', async () => {
      const first = score(record, { scorer_version_id: VERSION, value: 'first' });
      const again = score(record, { scorer_version_id: VERSION, value: 'again', status_type: 'error' });
      await stores.scoreStore.insert([first]);
      await stores.scoreStore.insert([again, score(record, { metric_name: 'another version' })]);
      expect((await list(record)).map(({ value }) => value).toSorted()).toEqual([1, 'first']);
    });

    it('puts a result in the place of the one it was made to replace, of no other, and says so', async () => {
      const at = (value: string, facts: Partial<NewScore> = {}): NewScore =>
        score(record, { scorer_version_id: VERSION, value, judged: value, ...facts });
      expect(await stores.scoreStore.insert([at('one')])).toBe(1);
      expect(
        await stores.scoreStore.insert([at('two', { replaces: 'one', status_type: 'error', metric_name: 'new name' })]),
      ).toBe(1);
      expect(await list(record)).toMatchObject([
        { value: 'two', judged: 'two', status_type: 'error', metric_name: 'new name', times_scored: 2 },
      ]);
      expect(await stores.scoreStore.insert([at('late', { replaces: 'one' })])).toBe(0);
      expect(await stores.scoreStore.insert([at('first')])).toBe(0);
      expect(await list(record)).toMatchObject([{ value: 'two', times_scored: 2 }]);
    });

    it('lets one of several replace a result', async () => {
      await stores.scoreStore.insert([score(record, { scorer_version_id: VERSION, judged: 'old' })]);
      const attempts = Array.from({ length: 8 }, (_, at) => ({
        ...score(record, { scorer_version_id: VERSION, judged: `new ${at}` }),
        replaces: 'old',
      }));
      const stored = await Promise.all(attempts.map((one) => stores.scoreStore.insert([one])));
      expect(stored.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
      expect(await list(record)).toMatchObject([{ judged: attempts[stored.indexOf(1)]!.judged, times_scored: 2 }]);
    });

    it('never replaces a result whose state is not known', async () => {
      await stores.scoreStore.insert([score(record, { scorer_version_id: VERSION })]);
      expect(await stores.scoreStore.insert([{ ...score(record, { scorer_version_id: VERSION, value: 2 }), replaces: '' }])).toBe(
        0,
      );
      expect(await list(record)).toMatchObject([{ value: 1 }]);
    });

    it('counts on where a recompute took the result away, of records and sessions apart, until the record goes', async () => {
      const { scoreStore, sessionScoreStore, rescoring, recordRemoval } = stores;
      const { project_id, run_id } = run;
      const one = score(record, { scorer_version_id: VERSION, judged: 'one' });
      const until = '2100-01-01T00:00:00.000Z';
      const takeAway = () => rescoring.rescore(project_id, run_id, [record.trace_id], [one.scorer_id], until);
      await scoreStore.insert([one]);
      await scoreStore.insert([{ ...one, judged: 'two', replaces: 'one' }]);
      await sessionScoreStore.insert([one]);
      expect(await takeAway()).toBe(2);
      expect(await takeAway()).toBe(0);
      await scoreStore.insert([one, score(record, { metric_name: 'another version' })]);
      await sessionScoreStore.insert([one]);
      expect((await list(record)).map(({ times_scored }) => times_scored).toSorted()).toEqual([1, 3]);
      expect(await sessionScoreStore.list(project_id, run_id, [record.id])).toMatchObject([{ times_scored: 2 }]);
      await takeAway();
      await recordRemoval.removeTraces(project_id, run_id, [record.id]);
      await write(stores, [record]);
      await scoreStore.insert([one]);
      expect(await list(record)).toMatchObject([{ times_scored: 1 }]);
    });

    it('keeps what is said of a trace apart from what is said of the session it is', async () => {
      await stores.scoreStore.insert([score(record, { scorer_version_id: VERSION, value: 'trace' })]);
      const { sessionScoreStore } = stores;
      expect(
        await sessionScoreStore.insert([score(record, { scorer_version_id: VERSION, value: 'session' }), score(trace(run))]),
      ).toBe(1);
      const ofSession = () => sessionScoreStore.list(run.project_id, run.run_id, [record.id]);
      expect([await list(record), await ofSession()]).toMatchObject([[{ value: 'trace' }], [{ value: 'session' }]]);
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [record.id]);
      expect([await list(record), await ofSession()]).toEqual([[], []]);
    });

    it('loses what is said of a session with its last trace, and with the run', async () => {
      const [inSession, other] = [trace(run, { session_id: randomUUID() }), trace(run, { session_id: randomUUID() })];
      await write(stores, [inSession, other]);
      const session = ({ session_id }: LogRecord): LogRecord => ({ ...record, id: session_id });
      const { sessionScoreStore } = stores;
      expect(await sessionScoreStore.insert([score(session(inSession)), score(session(other))])).toBe(2);
      const left = () => sessionScoreStore.list(run.project_id, run.run_id, [inSession.session_id, other.session_id]);
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [inSession.id]);
      expect((await left()).map(({ record_id }) => record_id)).toEqual([other.session_id]);
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await left()).toEqual([]);
    });

    it('keeps one of several at once', async () => {
      const attempts = Array.from({ length: 8 }, (_, value) => score(record, { scorer_version_id: VERSION, value }));
      await Promise.all(attempts.map((one) => stores.scoreStore.insert([one, score(record)])));
      const found = await list(record);
      expect(found).toHaveLength(9);
      expect(found.filter(({ scorer_version_id }) => scorer_version_id === VERSION)).toHaveLength(1);
    });

    it('drops results of records that are not there, and keeps the others', async () => {
      const elsewhere = await newRun(stores);
      const kept = score(record);
      const strangers = [trace(run), { ...record, run_id: elsewhere.run_id }, { ...record, project_id: elsewhere.project_id }];
      await stores.scoreStore.insert([...strangers.map((one) => score(one)), kept]);
      expect(await list(record, ...strangers)).toStrictEqual([kept]);
      await stores.scoreStore.insert([]);
    });

    it('lists by time of scoring, of the given records of the run only', async () => {
      const [second, other] = [trace(run), trace(run)];
      const twin = trace(await newRun(stores, run.project_id), { id: record.id });
      await write(stores, [second, other]);
      await write(stores, [twin]);
      const at = (one: LogRecord, scored_at: string) => score(one, { scored_at, value: scored_at });
      const times = [
        '2026-01-02T03:04:05.678Z',
        '2026-01-02T03:04:05.678001Z',
        '2026-01-02T03:04:05.679Z',
        '2026-01-02T03:04:06.000Z',
      ];
      const scores = times.map((time, index) => at(index % 2 === 0 ? record : second, time));
      await stores.scoreStore.insert([...scores.toReversed(), at(other, times[0]!)]);
      await stores.scoreStore.insert([at(twin, times[0]!)]);
      expect(await list(record, second)).toStrictEqual(scores);
      expect(await list()).toEqual([]);
      expect(await stores.scoreStore.list(randomUUID(), run.run_id, [record.id])).toEqual([]);
    });

    it('loses the scores of records that are removed', async () => {
      const sibling = trace(await newRun(stores, run.project_id));
      await write(stores, [sibling]);
      await stores.scoreStore.insert([score(record), score(sibling)]);
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await list(record)).toEqual([]);
      expect(await stores.scoreStore.list(run.project_id, sibling.run_id, [sibling.id])).toHaveLength(1);
      await write(stores, [record]);
      expect(await list(record)).toEqual([]);
    });

    it('takes more results at once than a statement has parameters', async () => {
      const many = Array.from({ length: 3_000 }, () => trace(run));
      await write(stores, many);
      await stores.scoreStore.insert(many.map((one) => score(one)));
      expect(await list(...many)).toHaveLength(3_000);
    });

    it('keeps copies and hands out copies', async () => {
      const given = score(record, { value: ['kept'] });
      await stores.scoreStore.insert([given]);
      (given.value as string[]).push('changed');
      ((await list(record))[0]!.value as string[]).push('changed');
      expect((await list(record))[0]!.value).toEqual(['kept']);
    });
  });
}
