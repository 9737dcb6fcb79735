import { hash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../../../adapters/memory/memory-database.ts';
import { MemoryScorerStore } from '../../../adapters/memory/scorers/memory-scorer-store.ts';
import { MemorySuspensionStore } from '../../../adapters/memory/scorers/memory-suspension-store.ts';
import {
  entry,
  newRun,
  type RecordStores,
  type RunKey,
  span,
  trace,
  write,
} from '../../../test/contracts/traces/record-stores.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';
import { silent } from '../../../test/setup/silent.ts';
import { Deferred } from '../../kernel/work-queue.ts';
import {
  defineScorerKind,
  PluginError,
  type ScoreItem,
  type ScoreOutcome,
  type ScorerKit,
  type Surroundings,
  z,
} from '../../plugin-sdk/index.ts';
import type { StoredEntry } from '../../scores/metric-settings.ts';
import type { LogRecord } from '../../traces/record.ts';
import { ScorerKinds } from '../kinds/scorer-kinds.ts';
import type { ScorerRecord } from '../scorer.ts';
import { BatchPace } from './batch-pace.ts';
import type { ScoringJob } from './scoring-queue.ts';
import { ScoringService } from './scoring-service.ts';

const never = new AbortController().signal;
const BATCH_LIMIT_MS = 300;

let stores: RecordStores;
let run: RunKey;
/** Records that the scorer was asked about, batch by batch. */
let asked: { id: string; name: string }[][];
let answer: (record: { id: string; name: string }) => ScoreOutcome;
let scorerStore: MemoryScorerStore;
let service: ScoringService;
/** Surroundings that the kind requires, and those it was given with each record. */
let surroundings: Surroundings;
let items: ScoreItem[];
let definitions: unknown[];
/** Work of the scorer before it returns. */
let working: () => Promise<void>;
let suspensionStore: MemorySuspensionStore;
/** Handling of a job for the judges. */
let handOn: (job: ScoringJob) => Promise<void>;

beforeEach(async () => {
  stores = openMemoryStores();
  run = await newRun(stores);
  asked = [];
  items = [];
  definitions = [];
  surroundings = 'none';
  working = async () => {};
  handOn = (job) => service.scoreByModels(job, never);
  suspensionStore = new MemorySuspensionStore({ database: new MemoryDatabase(), projectExists: async () => true });
  answer = ({ name }) => ({ status: 'success', value: name });
  scorerStore = new MemoryScorerStore({ database: new MemoryDatabase() });
  const kind = defineScorerKind({
    id: 'registered',
    sdk: 1,
    stability: 'stable',
    label: 'Fake',
    summary: 'Answers what the test says.',
    definition: z.object({ num_judges: z.int().max(5).optional() }),
    surroundings: () => surroundings,
    create: (_kit, definition) => ({
      score: async ({ items: given }) => {
        definitions.push(definition);
        items.push(...given);
        const parsed = given.map(({ record }) => JSON.parse(record) as { id: string; name: string });
        asked.push(parsed);
        await working();
        return parsed.map((record) => answer(record));
      },
    }),
  });
  const scorerKinds = new ScorerKinds([kind], silent);
  service = new ScoringService({
    ...stores,
    scorerStore,
    scorerKinds,
    modelScoringQueue: { put: (job) => handOn(job) },
    suspensionStore,
    batchPace: new BatchPace(BATCH_LIMIT_MS),
    scorerKits: { forJob: () => () => ({}) as ScorerKit },
    sha256: (bytes) => hash('sha256', bytes, 'hex'),
    clock: () => new Date(),
    log: silent,
  });
});

async function enable(
  facts: Partial<StoredEntry> = {},
  kind = 'registered',
  scorer: Partial<ScorerRecord> = {},
): Promise<string> {
  const id = randomUUID();
  const nothing = {
    model_name: null,
    num_judges: null,
    scoreable_node_types: null,
    output_type: null,
    input_type: null,
    created_by: null,
  };
  const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };
  const more = { tags: [], defaults: null, model_type: 'code', ground_truth: null, user_prompt: null, required_scorers: null };
  const shown = { label: id, multimodal_capabilities: null, roll_up_method: null, deprecated: false };
  await scorerStore.insert({
    ...nothing,
    ...times,
    ...more,
    ...shown,
    id,
    name: id,
    scorer_type: 'code',
    description: '',
    default_version_id: null,
    ...scorer,
  });
  const version = await scorerStore.insertVersion({
    ...nothing,
    ...times,
    id: randomUUID(),
    scorer_id: id,
    kind,
    definition: {},
    cot_enabled: null,
    calibration: null,
  });
  await scorerStore.update(id, { default_version_id: version.id, updated_at: times.updated_at });
  await stores.metricSettingsStore.replace(run.project_id, run.run_id, ({ scorers }, now) => ({
    scorers: [...scorers, entry({ id, name: id, enabled_at: now, ...facts })],
    segment_filters: [],
  }));
  return id;
}
const job = (...traces: LogRecord[]) => ({ ...run, trace_ids: traces.map(({ id }) => id) });
const scores = async (...records: LogRecord[]) =>
  (
    await stores.scoreStore.list(
      run.project_id,
      run.run_id,
      records.map(({ id }) => id),
    )
  ).map(({ status_type, value, message }) => [status_type, value, message]);

describe('scoring a job', () => {
  it('asks each scorer for the records it looks at, and keeps what it says', async () => {
    await enable({ scoreable_node_types: ['tool'] });
    const root = trace(run, { name: 'root' });
    const [left, right] = [span(root, { name: 'left' }), span(root, { name: 'right' })];
    await write(stores, [root, left, right]);
    answer = ({ name }) => (name === 'left' ? { status: 'failed', message: 'line 3' } : { status: 'success', value: true });
    await service.score(job(root), never);
    expect(asked.map((batch) => batch.map(({ name }) => name))).toEqual([['left', 'right']]);
    expect(await scores(left)).toEqual([['error', null, 'line 3']]);
    expect(await scores(right)).toEqual([['success', true, null]]);
    expect(await scores(root)).toEqual([]);
  });

  it('asks for nothing twice, however often the job comes', async () => {
    await enable();
    const [one, two] = [trace(run, { name: 'one' }), trace(run, { name: 'two' })];
    await write(stores, [one, two]);
    await service.score(job(one), never);
    await service.score(job(one, two), never);
    expect(asked.flat().map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('asks again for what has changed since, and replaces what was said', async () => {
    await enable({ scoreable_node_types: ['trace', 'tool'] });
    const root = trace(run, { name: 'root' });
    const leaf = span(root, { name: 'leaf' });
    await write(stores, [root, leaf]);
    await service.score(job(root), never);
    await write(stores, [{ ...leaf, name: 'changed' }]);
    await service.score(job(root), never);
    expect(asked.map((batch) => batch.map(({ name }) => name))).toEqual([['root', 'leaf'], ['changed']]);
    const [score] = await stores.scoreStore.list(run.project_id, run.run_id, [leaf.id]);
    expect(score).toMatchObject({ value: 'changed', times_scored: 2 });
  });

  it('looks again at what a record is while it is being judged', async () => {
    await enable();
    const root = trace(run, { name: 'before' });
    await write(stores, [root]);
    const insert = stores.scoreStore.insert.bind(stores.scoreStore);
    let other = true;
    stores.scoreStore.insert = async (scores) => {
      // Another worker, which has seen the record as it was before.
      if (other) await insert(scores.map((one) => ({ ...one, value: 'another', judged: 'an older state' })));
      other = false;
      return insert(scores);
    };
    await service.score(job(root), never);
    expect(await scores(root)).toEqual([['success', 'before', null]]);
  });

  it('judges what lies around a record again when a span comes late', async () => {
    surroundings = 'trace';
    await enable();
    const root = trace(run, { name: 'root', created_at: '2026-01-01T00:00:05.000Z' });
    const child = span(root, { name: 'child', created_at: '2026-01-01T00:00:02.000Z' });
    const early = span(child, { name: 'early', created_at: '2026-01-01T00:00:01.000Z' });
    await write(stores, [root, child, early]);
    await service.score(job(root), never);
    await service.score(job(root), never);
    await write(stores, [span(root, { name: 'late' })]);
    await service.score(job(root), never);
    const names = items.map(({ around }) => around!.map((text) => JSON.parse(text).name));
    expect(names).toEqual([
      ['root', 'child', 'early'],
      ['root', 'child', 'early', 'late'],
    ]);
  });

  it('hands in what required scorers said, which go first', async () => {
    const needing = { name: 'needing', required_scorers: ['needed', 'absent'] };
    await enable({ name: 'second' }, 'registered', needing);
    await enable({ name: 'first' }, 'registered', { name: 'needed' });
    const root = trace(run, { name: 'x' });
    await write(stores, [root]);
    await service.score(job(root), never);
    expect(items.map(({ required }) => required)).toEqual([undefined, { needed: 'x', absent: null }]);
  });

  it('lets code go before models', async () => {
    for (const model_type of ['llm', 'code'])
      await enable({ model_type, name: model_type, num_judges: model_type === 'llm' ? 1 : 2 });
    const root = trace(run);
    await write(stores, [root]);
    await service.score(job(root), never);
    expect(definitions).toEqual([{ num_judges: 2 }, { num_judges: 1 }]);
  });

  describe('where code and judges require each other', () => {
    /** The number of judges tells, in `definitions`, who was asked. */
    const scorer = (name: string, model_type: string, num_judges: number, ...required_scorers: string[]) =>
      enable({ model_type, name, num_judges }, 'registered', { name, required_scorers });
    const turns = () => definitions.map((one) => (one as { num_judges: number }).num_judges);
    const handedOn = () => {
      const jobs: ScoringJob[] = [];
      handOn = async (one) => void jobs.push(one);
      return jobs;
    };

    it('gives a judge what code said of the record', async () => {
      await scorer('polite', 'llm', 2, 'words');
      await scorer('words', 'code', 1);
      const root = trace(run, { name: 'x' });
      await write(stores, [root]);
      await service.score(job(root), never);
      expect(turns()).toEqual([1, 2]);
      expect(items.map(({ required }) => required)).toEqual([undefined, { words: 'x' }]);
    });

    it('has code wait for a judge, and gives it what the judge said; other code does not wait', async () => {
      const strict = await scorer('strict', 'code', 3, 'polite');
      const polite = await scorer('polite', 'llm', 2);
      await scorer('words', 'code', 1);
      const root = trace(run, { name: 'x' });
      await write(stores, [root]);
      const jobs = handedOn();
      await service.score(job(root), never);
      expect(turns()).toEqual([1]);
      expect(jobs.map(({ scorer_ids }) => scorer_ids?.toSorted())).toEqual([[strict, polite].toSorted()]);
      await service.scoreByModels(jobs[0]!, never);
      expect(turns()).toEqual([1, 2, 3]);
      expect(items.at(-1)!.required).toEqual({ polite: 'x' });
    });

    it('has a judge asked again later when the code that it requires could not judge yet', async () => {
      await scorer('polite', 'llm', 2, 'words');
      await scorer('words', 'code', 1);
      const root = trace(run, { name: 'x' });
      await write(stores, [root]);
      const jobs = handedOn();
      answer = () => {
        throw new Error('the machine is busy');
      };
      await expect(service.score(job(root), never)).rejects.toThrow('busy');
      answer = ({ name }) => ({ status: 'success', value: name });
      await expect(service.scoreByModels(jobs[0]!, never)).rejects.toThrow('"words", which is required, has not judged yet');
      expect(await scores(root)).toEqual([]);
      await service.score(job(root), never);
      await service.scoreByModels(jobs[0]!, never);
      expect(items.at(-1)!.required).toEqual({ words: 'x' });
      expect(await scores(root)).toHaveLength(2);
    });

    it('has code tell its verdict without a judge that will never give one', async () => {
      await scorer('strict', 'code', 3, 'polite');
      await scorer('polite', 'llm', 2);
      const root = trace(run, { name: 'x' });
      await write(stores, [root]);
      answer = ({ name }) =>
        definitions.length === 1 ? { status: 'failed', message: 'refused' } : { status: 'success', value: name };
      await service.score(job(root), never);
      expect(items.at(-1)!.required).toEqual({ polite: null });
      expect((await scores(root)).map(([status]) => status).toSorted()).toEqual(['error', 'success']);
    });

    it('defers code with the judge that it requires, and nothing else', async () => {
      await scorer('strict', 'code', 3, 'polite');
      await scorer('polite', 'llm', 2);
      await scorer('words', 'code', 1);
      const root = trace(run, { name: 'x' });
      await write(stores, [root]);
      const jobs = handedOn();
      await service.score(job(root), never);
      answer = () => {
        throw new Deferred(undefined, 5_000, 'the provider does not answer');
      };
      const deferred = await service.scoreByModels(jobs[0]!, never).catch((error: unknown) => error);
      expect(deferred).toMatchObject({ name: 'Deferred', delayMs: 5_000, job: { scorer_ids: jobs[0]!.scorer_ids } });
      expect(turns()).toEqual([1, 2]);
      answer = ({ name }) => ({ status: 'success', value: name });
      await service.scoreByModels((deferred as Deferred<ScoringJob>).job, never);
      expect(turns()).toEqual([1, 2, 2, 3]);
      expect(items.at(-1)!.required).toEqual({ polite: 'x' });
    });
  });

  it('hands in the right answer of the dataset where the scorer asks for it, a span that of its trace', async () => {
    await enable({ scoreable_node_types: ['trace', 'tool'] }, 'registered', { ground_truth: true });
    const root = trace(run, { dataset_output: 'yes' });
    await write(stores, [root, span(root), span(root, { dataset_output: 'no' })]);
    await service.score(job(root), never);
    expect(items.map(({ ground_truth }) => ground_truth)).toEqual(['yes', 'yes', 'no']);
  });

  it('runs a version with what the entry says otherwise, and refuses what does not fit', async () => {
    await enable({ num_judges: 2 });
    await enable({ num_judges: 9 });
    const root = trace(run);
    await write(stores, [root]);
    await service.score(job(root), never);
    expect(definitions).toEqual([{ num_judges: 2 }]);
    expect((await scores(root)).toSorted().toReversed()).toEqual([
      ['success', '', null],
      ['failed', null, expect.stringContaining('num_judges')],
    ]);
  });

  it('says why, when a scorer cannot judge and will not', async () => {
    await enable();
    const root = trace(run);
    await write(stores, [root]);
    answer = () => {
      throw new PluginError('unsupported', 'no integration offers the model');
    };
    await service.score(job(root), never);
    expect(await scores(root)).toEqual([['failed', null, 'no integration offers the model']]);
  });

  it('holds each scorer to its output type: that of its entry in the run, else of the scorer', async () => {
    await enable({}, 'registered', { output_type: 'count' });
    await enable({ output_type: 'categorical' }, 'registered', { output_type: 'count' });
    const root = trace(run, { name: 'seven' });
    await write(stores, [root]);
    await service.score(job(root), never);
    expect((await scores(root)).toSorted()).toEqual([
      ['error', null, '"seven" is no value of output type count: it has to be a number of 0 or more'],
      ['success', 'seven', null],
    ]);
  });

  it('fails the records of a plugin whose outcomes cannot be read, and asks the other scorers', async () => {
    await enable();
    const roots = [trace(run, { name: 'odd' }), trace(run, { name: 'good' })];
    await write(stores, roots);
    answer = ({ name }) => (name === 'odd' ? ({ status: 'splendid' } as never) : { status: 'success', value: name });
    await service.score(job(...roots), never);
    expect((await scores(...roots)).toSorted()).toEqual([
      ['error', null, 'the plugin of the scorer gave a result of an unknown shape'],
      ['success', 'good', null],
    ]);
  });

  it('writes the failure of a plugin with a defect at once, as asking again would bring the same', async () => {
    await enable();
    const root = trace(run);
    await write(stores, [root]);
    answer = () => (undefined as never as { value: ScoreOutcome }).value;
    await service.score(job(root), never);
    expect(await scores(root)).toEqual([['failed', null, 'the plugin of the scorer failed (TypeError)']]);
  });

  it('leaves incomplete and unknown traces alone', async () => {
    await enable();
    const open = trace(run, { is_complete: false });
    await write(stores, [open]);
    await service.score(job(open, trace(run)), never);
    expect(asked).toEqual([]);
  });

  it('scores many records in batches, none left out', async () => {
    await enable();
    const traces = Array.from({ length: 1_234 }, (_, at) => trace(run, { name: `${at}` }));
    await write(stores, traces);
    await service.score(job(...traces), never);
    expect(new Set(asked.flat().map(({ name }) => name)).size).toBe(1_234);
    expect(asked.flat()).toHaveLength(1_234);
    expect(await scores(...traces)).toHaveLength(1_234);
  });

  it('says that a scorer cannot judge whose kind is not installed, and keeps what others said', async () => {
    await enable();
    await enable({}, 'not_installed');
    const record = trace(run, { name: 'x' });
    await write(stores, [record]);
    await service.score(job(record), never);
    expect(await scores(record)).toEqual(
      expect.arrayContaining([
        ['success', 'x', null],
        ['failed', null, 'no plugin for scorers of kind "not_installed" is installed'],
      ]),
    );
  });

  it('ends when it is told to', async () => {
    await enable();
    const record = trace(run);
    await write(stores, [record]);
    await expect(service.score(job(record), AbortSignal.abort())).rejects.toThrow();
    expect(asked).toEqual([]);
  });
});

describe('scoring sessions', () => {
  const later = () => ({ session_ids: [session], trace_ids: [], ...run });
  let session: string;
  const ofSession = () => stores.sessionScoreStore.list(run.project_id, run.run_id, [session]);
  beforeEach(async () => {
    session = randomUUID();
    surroundings = 'session';
    answer = () => ({ status: 'success', value: items.at(-1)!.around!.length });
    await enable({ scoreable_node_types: ['session'] });
  });

  it('notes them with their traces, and judges each once, and again when it has gone on', async () => {
    const [one, two] = [trace(run, { session_id: session }), trace(run, { session_id: session })];
    await write(stores, [one, span(one)]);
    await service.score(job(one), never);
    expect(asked).toEqual([]);
    expect(await stores.idleSessions.release(-1)).toEqual({ released: 1, more: false });
    expect(await stores.jobs(run)).toContainEqual(later());
    for (let time = 0; time < 2; time += 1) await service.score(later(), never);
    expect(await ofSession()).toMatchObject([{ value: 2, times_scored: 1 }]);
    await write(stores, [two]);
    await service.score(later(), never);
    expect(await ofSession()).toMatchObject([{ value: 3, times_scored: 2 }]);
  });

  it('leaves those alone that go on, or are gone', async () => {
    await write(stores, [trace(run, { session_id: session, is_complete: false })]);
    await service.score(later(), never);
    await service.score({ ...later(), session_ids: [randomUUID()] }, never);
    expect(await ofSession()).toEqual([]);
  });
});

describe('a call of a program that takes too long', () => {
  it('is cut off, hands the job back, and is tried with half of the records until it comes to an end', async () => {
    await enable();
    const traces = Array.from({ length: 8 }, () => trace(run));
    await write(stores, traces);
    working = async () => (asked.at(-1)!.length > 2 ? new Promise(() => {}) : undefined);
    const score = () => service.score(job(...traces), never).catch((error: unknown) => error);
    expect(await score()).toMatchObject({ name: 'Deferred', delayMs: 0 });
    expect(await scores(...traces)).toEqual([]);
    expect(await score()).toMatchObject({ name: 'Deferred' });
    for (let tries = 0; tries < 20 && (await score()) !== undefined; ) tries += 1;
    expect(asked.slice(0, 3).map(({ length }) => length)).toEqual([8, 4, 2]);
    expect(await scores(...traces)).toHaveLength(traces.length);
  });

  it('is not cut off where it is about a single record: its time is for the sandbox to limit', async () => {
    await enable();
    const one = trace(run);
    await write(stores, [one]);
    const slow = Promise.withResolvers<void>();
    working = () => slow.promise;
    setTimeout(slow.resolve, 2 * BATCH_LIMIT_MS);
    await service.score(job(one), never);
    expect(await scores(one)).toHaveLength(1);
  });
});

describe('a job whose scorer is not wanted any more', () => {
  const hanging = () => {
    const began = Promise.withResolvers<void>();
    working = () => {
      began.resolve();
      return new Promise(() => {});
    };
    return began.promise;
  };

  it('ends when the scorer is disabled while it runs, and writes nothing', async () => {
    await enable();
    const one = trace(run);
    await write(stores, [one]);
    const began = hanging();
    const scoring = service.score(job(one), never);
    await began;
    await stores.metricSettingsStore.replace(run.project_id, run.run_id, () => ({ scorers: [], segment_filters: [] }));
    await scoring;
    expect(await scores(one)).toEqual([]);
  });

  it('ends when the project is deleted while it runs', async () => {
    await enable();
    const one = trace(run);
    await write(stores, [one]);
    const began = hanging();
    const scoring = service.score(job(one), never);
    await began;
    await stores.projectStore.removeProject(run.project_id);
    await scoring;
  });

  it('says so of its records when the version is switched off, before or while it runs', async () => {
    await enable();
    const [one, two] = [trace(run), trace(run)];
    await write(stores, [one, two]);
    const version = (await stores.metricSettingsStore.find(run.project_id, run.run_id))!.scorers[0]!;
    const { default_version_id } = (await scorerStore.find(version.id))!;
    const why = { reason: 'timed_out', message: 'it is switched off', suspended_at: '2026-01-01T00:00:00.000Z' } as const;
    const began = hanging();
    const scoring = service.score(job(one), never);
    await began;
    await suspensionStore.insert({
      project_id: run.project_id,
      scorer_id: version.id,
      scorer_version_id: default_version_id!,
      ...why,
    });
    await scoring;
    await service.score(job(two), never);
    expect(await scores(one, two)).toEqual(Array.from({ length: 2 }, () => ['failed', null, 'it is switched off']));
    expect(asked).toHaveLength(1);
  });
});

describe('a job whose provider is not to be asked now', () => {
  it('is handed back with what waits, after the others have had their turn, and ends as failed when that takes too long', async () => {
    await enable({ model_type: 'llm' });
    const other = await enable({ model_type: 'llm' });
    const one = trace(run, { name: 'one' });
    await write(stores, [one]);
    let turn = 0;
    answer = ({ name }) => {
      turn += 1;
      if (turn === 1) throw new Deferred(undefined, 5_000, 'the provider does not answer');
      return { status: 'success', value: name };
    };
    const deferred = await service.scoreByModels(job(one), never).catch((error: unknown) => error);
    expect(deferred).toMatchObject({ name: 'Deferred', delayMs: 5_000, job: { ...job(one), waits_since: expect.any(String) } });
    expect(await scores(one)).toEqual([['success', 'one', null]]);
    expect(other).toBeDefined();
    turn = 0;
    await service.scoreByModels({ ...job(one), waits_since: '2026-01-01T00:00:00.000Z' }, never);
    expect(await scores(one)).toContainEqual(['failed', null, 'the provider does not answer']);
  });
});

describe('giving a job up', () => {
  it('marks what has no score as failed, once, and nothing else', async () => {
    await enable();
    const [done, stuck, open] = [trace(run, { name: 'done' }), trace(run), trace(run, { is_complete: false })];
    await write(stores, [done, stuck]);
    await write(stores, [open]);
    await service.score(job(done), never);
    for (let time = 0; time < 2; time += 1) await service.giveUp(job(done, stuck, open, trace(run)));
    expect(await scores(done)).toEqual([['success', 'done', null]]);
    expect(await scores(stuck)).toEqual([['failed', null, expect.stringContaining('given up')]]);
    expect(await scores(open)).toEqual([]);
  });
});
