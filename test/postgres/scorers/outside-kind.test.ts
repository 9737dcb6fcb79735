import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../../setup/compile-cache.ts';
import { copyMigratedDatabase, createTestDatabase, type TestDatabase } from '../../setup/database.ts';
import { PATIENCE_MS } from '../../setup/timing.ts';
import {
  type Environment,
  endEverything,
  logTraces,
  makeDataDir,
  makeLogStream,
  newTrace,
  type Place,
  type Service,
  startService,
  until,
} from '../../system/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any;

const ROOT = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
const METRIC = 'brief';
const short = newTrace({ output: 'short enough' });
const long = newTrace({ output: 'not really short enough' });

let dataDir: string;
let own: Environment;
let folder: string;
const databases: TestDatabase[] = [];
let service: Service;
let place: Place;
let scorer_id: string;

async function database(made: Promise<TestDatabase>): Promise<Environment> {
  const one = await made;
  databases.push(one);
  return { DATABASE_URL: one.url };
}

const command = (name: 'backup' | 'restore', dataDir: string, to: string, own: Environment) =>
  run(process.execPath, [`cli/${name}.ts`, to], {
    cwd: ROOT,
    env: { ...bareEnvironment(), DATA_DIR: dataDir, LOG_LEVEL: 'error', ...own },
  });

async function info(of: { readonly id: string }, by = service): Promise<Body> {
  const { metric_info } = await by.ask<Body>('GET', `/v2/projects/${place.project_id}/traces/${of.id}`);
  return metric_info[METRIC];
}

const isScored = (of: { readonly id: string }, status: string, by = service) =>
  until(
    'the score',
    PATIENCE_MS,
    async () => (await info(of, by))?.status_type,
    (state) => state === status,
  );

beforeAll(async () => {
  dataDir = await makeDataDir();
  folder = join(await makeDataDir(), 'few-words');
  await run(process.execPath, [join(ROOT, 'plugin-kit/new-plugin.ts'), 'scorer_kind', 'few_words', folder]);
  own = await database(copyMigratedDatabase());
  service = await startService(dataDir, { ...own, PLUGINS: folder });
  place = await makeLogStream(service);
  const facts = { name: METRIC, scorer_type: 'few_words', scoreable_node_types: ['trace'], output_type: 'boolean' };
  scorer_id = (await service.ask<Body>('POST', '/v2/scorers', facts)).id;
  await service.ask('POST', `/v2/scorers/${scorer_id}/version/few_words`, { max_words: 3 });
  const settings = `/v2/projects/${place.project_id}/log_streams/${place.log_stream_id}/metric_settings`;
  await service.ask('PATCH', settings, { scorers: [{ id: scorer_id }] });
  await logTraces(service, place, [short, long]);
  await isScored(short, 'success');
  await isScored(long, 'success');
});
afterAll(async () => {
  await endEverything();
  for (const one of databases) await one.drop();
});

describe('a scorer of a kind from outside the repository', () => {
  it('is filtered, sorted and exported by', async () => {
    const find = async (query: object): Promise<string[]> => {
      const asked = { log_stream_id: place.log_stream_id, ...query };
      const { records } = await service.ask<Body>('POST', `/v2/projects/${place.project_id}/traces/search`, asked);
      return records.map(({ id }: { id: string }) => id);
    };
    const filter = (value: boolean) => [{ type: 'boolean', column_id: `metrics/${METRIC}`, operator: 'eq', value }];
    expect(await find({ filters: filter(true) })).toEqual([short.id]);
    expect(await find({ filters: filter(false) })).toEqual([long.id]);
    expect(await find({ sort: { column_id: `metrics/${METRIC}`, ascending: true } })).toEqual([long.id, short.id]);
    expect(await find({ sort: { column_id: `metrics/${METRIC}`, ascending: false } })).toEqual([short.id, long.id]);
    const exported = await service.call('POST', `/v2/projects/${place.project_id}/export_records`, {
      log_stream_id: place.log_stream_id,
      root_type: 'trace',
      export_format: 'csv',
      filters: [],
    });
    expect(exported.status).toBe(200);
    expect(exported.text).toContain(METRIC);
    expect(exported.text).toContain(short.id);
  });

  it('has a chart on the dashboard as soon as it is enabled', async () => {
    const trends = `/v2/projects/${place.project_id}/log_streams/${place.log_stream_id}/trends`;
    const { sections } = await service.ask<Body>('GET', trends);
    const widgets = sections.flatMap((section: Body) => section.widgets);
    const widget = widgets.find(({ metric }: Body) => metric === METRIC);
    expect(widget).toMatchObject({ aggregation: 'PercentageTrue' });
    const hour = 3_600_000;
    const time = {
      start_time: new Date(Date.now() - hour).toISOString(),
      end_time: new Date(Date.now() + hour).toISOString(),
    };
    const drawn = () => service.ask<Body>('POST', `${trends}/widgets/${widget.id}/query`, time);
    const { series } = await until('the chart', PATIENCE_MS, drawn, (body) => body.series[0]?.count === 2);
    expect(series).toMatchObject([{ metric: METRIC, value: 50, count: 2 }]);
  });

  it('is tried on rows with ground truth, and its health is kept with its version', async () => {
    const form = new FormData();
    form.append(
      'file',
      new Blob(['input,output,mgt\nq1,short enough,true\nq2,not at all short enough,false\nq3,a b c d,true\n']),
      'rows.csv',
    );
    form.append('name', randomUUID());
    const { id: dataset_id } = await service.ask<Body>('POST', '/v2/datasets?format=csv', form);
    const tried = { definition: { max_words: 3 }, dataset_id, scoreable_node_types: ['trace'], output_type: 'boolean' };
    const trial = await service.ask<Body>('POST', '/v2/scorers/few_words/validate/dataset', tried);
    const runPath = `/v2/projects/${trial.project_id}/runs/${trial.metrics_experiment_id}/jobs/latest`;
    await until(
      'the trial',
      PATIENCE_MS,
      () => service.ask<Body>('GET', runPath),
      ({ status }) => status === 'completed',
    );
    const health = await service.ask<Body>(
      'POST',
      `/v2/projects/${trial.project_id}/metrics-testing/${trial.metrics_experiment_id}/health-score`,
      { scorer_id, output_type: 'boolean', scoreable_node_types: ['trace'] },
    );
    expect(health).toMatchObject({
      health_score_type: 'macro_f1',
      joined_rows: 3,
      secondary: { accuracy: expect.closeTo(2 / 3, 6) },
    });
    const { scores } = await service.ask<Body>('GET', `/v2/scorers/${scorer_id}/health-scores?dataset_id=${dataset_id}`);
    expect(scores).toMatchObject([{ scorer_version_number: 1, run_id: trial.metrics_experiment_id }]);
  });

  it('is there after a backup was restored, with its versions and scores, and goes on', async () => {
    const backup = join(await makeDataDir(), 'backup');
    const restoredDir = join(await makeDataDir(), 'data');
    const other = await database(createTestDatabase());
    await command('backup', dataDir, backup, own);
    await command('restore', restoredDir, backup, other);
    const restored = await startService(restoredDir, { ...other, PLUGINS: folder });
    const path = `/v2/scorers/${scorer_id}/versions`;
    expect(await restored.ask('GET', path)).toEqual(await service.ask('GET', path));
    expect(await info(long, restored)).toEqual(await info(long));
    const later = newTrace({ output: 'short' });
    await logTraces(restored, place, [later]);
    await isScored(later, 'success', restored);
    await restored.stop();
  });
});

describe('a scorer whose kind is not installed any more', () => {
  const missed = newTrace({ output: 'short again' });
  const scorerPath = () => `/v2/scorers/${scorer_id}`;

  beforeAll(async () => {
    await service.stop();
    service = await startService(dataDir, own);
  });

  it('is shown with what its versions hold, and so is all that it said', async () => {
    const version = { version: 1, definition: { max_words: 3 }, generated_scorer: null };
    expect(await service.ask('GET', `${scorerPath()}/version`)).toMatchObject(version);
    expect((await service.ask<Body>('GET', `${scorerPath()}/versions`)).versions).toMatchObject([version]);
    expect(await service.ask('GET', scorerPath())).toMatchObject({ scorer_type: 'few_words', latest_version: version });
    const { scorers } = await service.ask<Body>('POST', '/v2/scorers/list', {
      filters: [{ name: 'name', operator: 'eq', value: METRIC }],
    });
    expect(scorers).toMatchObject([{ id: scorer_id }]);
    const { scorer_kinds } = await service.ask<Body>('GET', '/v2/scorer_kinds');
    expect(scorer_kinds.map(({ id }: Body) => id)).not.toContain('few_words');
    expect(await info(short)).toMatchObject({ status_type: 'success', value: true });
  });

  it('says of new records that its kind is not installed', async () => {
    await logTraces(service, place, [missed]);
    await isScored(missed, 'failed');
    expect((await info(missed)).message).toBe('no plugin for scorers of kind "few_words" is installed');
  });

  it('makes no request fail by itself', async () => {
    const { project_id, log_stream_id } = place;
    const stream = `/v2/projects/${project_id}/log_streams/${log_stream_id}`;
    const requests: [method: string, path: string, body?: object][] = [
      ['POST', `${scorerPath()}/version/few_words`, { max_words: 4 }],
      ['POST', `${scorerPath()}/version/llm`, { user_prompt: 'x' }],
      ['POST', `${scorerPath()}/version/preset`, {}],
      ['POST', `${scorerPath()}/versions/1/restore`, {}],
      ['PATCH', scorerPath(), { description: 'of old' }],
      ['POST', '/v2/scorers', { name: 'another', scorer_type: 'few_words' }],
      ['POST', '/v2/scorers/few_words/validate', { definition: {} }],
      ['GET', `${scorerPath()}/health-scores?dataset_id=${randomUUID()}`],
      ['GET', `${scorerPath()}/versions/1/validation`],
      ['GET', `${stream}/metric_settings`],
      ['PATCH', `${stream}/metric_settings`, { scorers: [{ id: scorer_id, num_judges: 2 }] }],
      ['POST', `/v2/projects/${project_id}/traces/available_columns`, { log_stream_id }],
      ['POST', `/v2/projects/${project_id}/traces/search`, { log_stream_id }],
      [
        'POST',
        `/v2/projects/${project_id}/export_records`,
        { log_stream_id, root_type: 'trace', export_format: 'csv', filters: [] },
      ],
      ['POST', `/v2/projects/${project_id}/recompute-metrics`, { log_stream_id, scorer_ids: [scorer_id] }],
      ['GET', `${stream}/trends`],
    ];
    const statuses: string[] = [];
    for (const [method, path, body] of requests) {
      const { status, text } = await service.call(method, path, body);
      if (status >= 500) statuses.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
    }
    expect(statuses).toEqual([]);
  });

  it('judges again once its kind is back', async () => {
    await service.stop();
    service = await startService(dataDir, { ...own, PLUGINS: folder });
    const { project_id, log_stream_id } = place;
    await service.ask('POST', `/v2/projects/${project_id}/recompute-metrics`, { log_stream_id, scorer_ids: [scorer_id] });
    await isScored(missed, 'success');
    expect(await info(missed)).toMatchObject({ value: true });
    expect(await service.ask('POST', `${scorerPath()}/version/few_words`, { max_words: 9 })).toMatchObject({
      definition: { max_words: 9 },
    });
  });
});
