import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryScorerStore } from '../../adapters/memory/memory-scorer-store.ts';
import { entry, newRun, type RecordStores, type RunKey, span, trace, write } from '../../test/contracts/record-stores.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';
import { PluginRegistry } from '../kernel/plugin-registry.ts';
import { defineScorerKind, type ScoreOutcome, type ScorerKit, z } from '../plugin-sdk/index.ts';
import type { LogRecord } from '../traces/record.ts';
import type { StoredEntry } from './metric-settings.ts';
import { ScoringService } from './scoring-service.ts';

const never = new AbortController().signal;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let stores: RecordStores;
let run: RunKey;
/** What the scorer was asked for, batch by batch, and how it answers. */
let asked: { id: string; name: string }[][];
let answer: (record: { id: string; name: string }) => ScoreOutcome;
let scorerStore: MemoryScorerStore;
let service: ScoringService;

beforeEach(async () => {
  stores = openMemoryStores();
  run = await newRun(stores);
  asked = [];
  answer = ({ name }) => ({ status: 'success', value: name });
  scorerStore = new MemoryScorerStore();
  const kind = defineScorerKind({
    id: 'registered',
    sdk: 1,
    stability: 'stable',
    summary: 'Answers what the test says.',
    definition: z.object({}),
    create: () => ({
      score: async ({ items }) => {
        const parsed = items.map(({ record }) => JSON.parse(record) as { id: string; name: string });
        asked.push(parsed);
        return parsed.map((record) => answer(record));
      },
    }),
  });
  const scorerKinds = new PluginRegistry([kind]);
  service = new ScoringService({
    ...stores,
    scorerStore,
    scorerKinds,
    scorerKit: {} as ScorerKit,
    clock: () => new Date(),
    log: silent,
  });
});

async function enable(facts: Partial<StoredEntry> = {}, kind = 'registered'): Promise<string> {
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
  await scorerStore.insert({
    ...nothing,
    ...times,
    ...more,
    id,
    name: id,
    scorer_type: 'code',
    description: '',
    default_version_id: null,
  });
  const version = await scorerStore.insertVersion({
    ...nothing,
    ...times,
    id: randomUUID(),
    scorer_id: id,
    kind,
    definition: {},
    cot_enabled: null,
  });
  await scorerStore.setDefaultVersion(id, version.id, times.updated_at);
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

  it('rejects when a scorer cannot judge at all, and keeps what others said', async () => {
    await enable();
    await enable({}, 'not_installed');
    const record = trace(run, { name: 'x' });
    await write(stores, [record]);
    await expect(service.score(job(record), never)).rejects.toThrow('not_installed');
    expect(await scores(record)).toEqual([['success', 'x', null]]);
  });

  it('ends when it is told to', async () => {
    await enable();
    const record = trace(run);
    await write(stores, [record]);
    await expect(service.score(job(record), AbortSignal.abort())).rejects.toThrow();
    expect(asked).toEqual([]);
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
