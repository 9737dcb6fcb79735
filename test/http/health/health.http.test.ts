import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsIn } from '../datasets/dataset-fixture.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { HealthFixture, newVersion } from './health-fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const about = (value: number) => expect.closeTo(value, 6);
const TRUTHS = ['true', 'yes', '1', 'false', null, 'No', 'unsure', 'true'];
const SAID = [true, false, true, undefined, true, false, true, 'maybe'];
const ROWS = TRUTHS.map((mgt, at) => ({ input: `question ${at}`, output: null, mgt }));

describe('the health of a metrics-testing run', () => {
  it('is computed with ground truth of the dataset and edits that are not committed', async () => {
    const fixture = await HealthFixture.open(server, ROWS);
    const run_id = await fixture.run(1, SAID);
    const [, , , , r5, r6] = fixture.row_ids;
    const overlay = { [r5!.toUpperCase()]: 'false', [r6!]: null, [randomUUID()]: 'true' };
    const reply = await fixture.health(run_id, { mgt_overlay: overlay });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        health_score_type: 'macro_f1',
        value: about(0.333333),
        skipped_rows: 2,
        secondary: { n: 4, accuracy: 0.5, micro_f1: 0.5, cohen_kappa: about(-0.333333) },
        total_scored_rows: 7,
        total_mgt_rows: 7,
        joined_rows: 6,
        interval: { level: 0.95 },
        baseline: { prediction: 'true' },
        confusion_table: { labels: ['false', 'true'] },
      },
    });
    const committed = (await rowsIn(server, fixture.dataset_id)).map(({ values_dict }) => values_dict.mgt);
    expect(committed).toEqual(TRUTHS);
  });

  it('has all fields, null where there are no valid rows', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'perhaps' }, { mgt: '?' }]);
    const run_id = await fixture.run(1, [true, false]);
    expect((await fixture.health(run_id)).body).toEqual({
      health_score_type: 'macro_f1',
      value: null,
      skipped_rows: 2,
      secondary: {},
      total_scored_rows: 2,
      total_mgt_rows: 2,
      joined_rows: 2,
      interval: null,
      baseline: null,
      confusion_table: null,
    });
    expect((await fixture.health(run_id, { output_type: 'freeform' })).body).toMatchObject({
      health_score_type: null,
      value: null,
      skipped_rows: 0,
      joined_rows: 2,
    });
    expect(await fixture.kept()).toEqual([]);
  });

  it('is measured by the output type that is asked for', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: '1' }, { mgt: '4' }]);
    const run_id = await fixture.run(1, [1, 2]);
    const { body } = await fixture.health(run_id, { output_type: 'count' });
    expect(body).toMatchObject({ health_score_type: 'mae', value: 1, secondary: { mse: 2, accuracy: 0.5 } });
  });

  it('looks at records of the types that are asked for, else of those of the scorer', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'true' }, { mgt: 'true' }]);
    const run_id = await fixture.newRun();
    const { project_id, scorer_id, version_ids, row_ids } = fixture;
    const spans = [[true, true, false], [false]];
    const traces = spans.map((said, at) => ({
      id: randomUUID(),
      dataset_metadata: { dataset_row_id: row_ids[at] },
      spans: said.map((value) => ({ type: 'tool', id: randomUUID(), input: '', output: String(value) })),
    }));
    await server.request('POST', `/v2/projects/${project_id}/traces`, { metrics_testing_id: run_id, traces });
    const scored = {
      metric_name: 'm',
      explanation: null,
      message: null,
      effort: null,
      judged: null,
      scored_at: new Date().toISOString(),
    };
    const score = {
      ...scored,
      project_id,
      run_id,
      scorer_id,
      scorer_version_id: version_ids[1]!,
      status_type: 'success' as const,
    };
    const scores = traces.flatMap((trace) =>
      trace.spans.map(({ id, output }) => ({ ...score, record_id: id, value: output === 'true' })),
    );
    await server.cradle.scoreStore.insert(scores);
    expect((await fixture.health(run_id)).body).toMatchObject({ total_scored_rows: 0 });
    expect((await fixture.health(run_id, { scoreable_node_types: ['tool'] })).body).toMatchObject({
      total_scored_rows: 2,
      secondary: { accuracy: 0.5 },
    });
  });

  it('looks at the sessions of the traces when these are scored', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'true' }, { mgt: 'true' }]);
    const run_id = await fixture.newRun();
    const { project_id, scorer_id, version_ids, row_ids } = fixture;
    for (const [at, row_id] of row_ids.entries()) {
      const session_id = randomUUID();
      const traces = [{ dataset_metadata: { dataset_row_id: row_id } }, { dataset_metadata: { dataset_row_id: row_id } }];
      const body = { metrics_testing_id: run_id, session_id, traces };
      expect((await server.request('POST', `/v2/projects/${project_id}/traces`, body)).status).toBe(200);
      const scored = { metric_name: 'm', explanation: null, message: null, effort: null, judged: null };
      const of = { project_id, run_id, record_id: session_id, scorer_id, scorer_version_id: version_ids[1]! };
      const score = { ...scored, ...of, status_type: 'success' as const, value: at === 0, scored_at: new Date().toISOString() };
      expect(await server.cradle.sessionScoreStore.insert([score])).toBe(1);
    }
    const { body } = await fixture.health(run_id, { scoreable_node_types: ['session'] });
    expect(body).toMatchObject({ total_scored_rows: 2, joined_rows: 2, secondary: { accuracy: 0.5 } });
  });

  it('takes the rows of its own dataset version, whatever was edited since', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'true' }]);
    const run_id = await fixture.run(1, [true]);
    const edits = [{ edit_type: 'update_row', row_id: fixture.row_ids[0], values: { mgt: 'false' } }];
    expect((await server.request('PATCH', `/v2/datasets/${fixture.dataset_id}/content`, { edits })).status).toBe(204);
    expect((await fixture.health(run_id)).body).toMatchObject({ value: 1 });
  });

  it('works without a dataset, with an overlay by trace', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'true' }, { mgt: 'true' }]);
    const run_id = await fixture.run(1, [true, false], { origin: { dataset_id: null, dataset_version_index: null } });
    const found = await server.request('POST', `/v2/projects/${fixture.project_id}/traces/search`, {
      metrics_testing_id: run_id,
    });
    const mgt_overlay = Object.fromEntries(found.body.records.map(({ id }: { id: string }) => [id, 'true']));
    expect((await fixture.health(run_id, { mgt_overlay })).body).toMatchObject({ joined_rows: 2, secondary: { accuracy: 0.5 } });
    expect(await fixture.kept()).toEqual([]);
  });

  it('takes all scores of a run whose candidate belongs to no scorer', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'true' }]);
    const run_id = await fixture.run(1, [true], { origin: { scorer_id: null } });
    const other = (await server.request('POST', '/v2/scorers', { name: randomUUID(), scorer_type: 'code' })).body.id;
    expect((await fixture.health(run_id, { scorer_id: other, scoreable_node_types: ['trace'] })).body).toMatchObject({
      value: 1,
    });
    expect(await fixture.kept()).toEqual([]);
  });
});

describe('ground truth in a column of its own', () => {
  it('is chosen per scorer, and followed when the column is renamed', async () => {
    const fixture = await HealthFixture.open(server, [{ input: 'x', mgt: 'true', verdict: 'false' }]);
    const { scorer_id, dataset_id } = fixture;
    const path = `/v2/datasets/${dataset_id}/ground_truth_columns`;
    expect((await server.request('GET', path)).body).toEqual({ columns: {} });
    const chosen = await server.request('PATCH', path, { columns: { [scorer_id]: 'verdict' } });
    expect(chosen).toMatchObject({ status: 200, body: { columns: { [scorer_id]: 'verdict' } } });
    const first = await fixture.run(1, [false]);
    expect((await fixture.health(first)).body).toMatchObject({ value: 1 });
    await server.request('PATCH', `/v2/datasets/${dataset_id}`, { column_mapping: { generated_output: ['verdict'] } });
    expect((await server.request('GET', path)).body).toEqual({ columns: { [scorer_id]: 'generated_output' } });
    const second = await fixture.run(1, [false], { origin: { dataset_version_index: 2 } });
    expect((await fixture.health(second)).body).toMatchObject({ value: 1 });
    expect((await server.request('PATCH', path, { columns: { [scorer_id]: null } })).body).toEqual({ columns: {} });
    expect((await fixture.health(second)).body).toMatchObject({ value: 0 });
  });

  it('is refused for a scorer whose id is a name that objects lose', async () => {
    const { dataset_id } = await HealthFixture.open(server, [{ input: 'x' }]);
    const columns = JSON.parse('{"__proto__": "input"}');
    expect(await server.request('PATCH', `/v2/datasets/${dataset_id}/ground_truth_columns`, { columns })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'columns', '__proto__'] }] },
    });
  });

  it('is refused where column or scorer are not there', async () => {
    const { scorer_id, dataset_id } = await HealthFixture.open(server, [{ input: 'x' }]);
    const stranger = randomUUID();
    const columns = { [scorer_id]: 'nothing', [stranger]: 'input' };
    expect(await server.request('PATCH', `/v2/datasets/${dataset_id}/ground_truth_columns`, { columns })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'columns', scorer_id] }, { loc: ['body', 'columns', stranger] }] },
    });
  });
});

describe('the health of an experiment', () => {
  it('joins traces that a client logged by what they say went in and should come out', async () => {
    const rows = [
      { input: 'same', output: 'one', mgt: 'true' },
      { input: 'same', output: 'two', mgt: 'false' },
      { input: 'other', output: 'x', mgt: 'false' },
    ];
    const fixture = await HealthFixture.open(server, rows);
    const logged = [2, 1, 0].map((at) => ({ dataset_input: rows[at]!.input, dataset_output: rows[at]!.output }));
    const trace = (_row_id: string, at: number) => logged[at]!;
    const run_id = await fixture.run(1, [false, false, true], { kind: 'experiment', trace, origin: { scorer_id: null } });
    expect((await fixture.health(run_id)).body).toMatchObject({ joined_rows: 3, value: 1 });
    expect(await fixture.kept()).toHaveLength(1);
  });
});

describe('health scores of a scorer', () => {
  it('are kept by version, the first being the baseline and the last the latest', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'true' }, { mgt: 'false' }], { versions: 3 });
    const runs = [await fixture.run(3, [true, false]), await fixture.run(1, [true, true]), await fixture.run(2, [false, true])];
    for (const run_id of runs) expect((await fixture.health(run_id)).status).toBe(200);
    const kept = await fixture.kept();
    expect(kept.map(({ scorer_version_number }: { scorer_version_number: number }) => scorer_version_number)).toEqual([1, 2, 3]);
    expect(kept.at(-1)).toEqual({
      id: expect.any(String),
      scorer_version_id: fixture.version_ids[3],
      scorer_version_number: 3,
      dataset_id: fixture.dataset_id,
      health_score_type: 'macro_f1',
      score: 1,
      secondary: expect.objectContaining({ n: 2, 'f1:true': 1 }),
      interval: { low: 1, high: 1, level: 0.95, resamples: expect.any(Number) },
      baseline: { value: expect.any(Number), prediction: expect.any(String) },
      confusion_table: {
        labels: ['false', 'true'],
        counts: [
          [1, 0],
          [0, 1],
        ],
        other_rows: 0,
      },
      computed_at: expect.any(String),
      dataset_version_index: 1,
      run_id: runs[0],
      project_id: fixture.project_id,
      with_overlay: false,
    });
  });

  it('are one per version and type: the one that was computed last', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: '1' }, { mgt: '0' }]);
    const [first, second] = [await fixture.run(1, [1, 1]), await fixture.run(1, [1, 0])];
    await fixture.health(first);
    await fixture.health(first, { output_type: 'count' });
    await fixture.health(second);
    expect(await fixture.kept()).toMatchObject(
      [
        { health_score_type: 'macro_f1', score: 1 },
        { health_score_type: 'mae', score: 0.5 },
      ].toSorted((a, b) => (a.health_score_type < b.health_score_type ? -1 : 1)),
    );
    expect(await fixture.kept('&health_score_type=mae')).toMatchObject([{ score: 0.5 }]);
    await fixture.health(second, { mgt_overlay: { [fixture.row_ids[0]!]: 'false' } });
    expect(await fixture.kept('&health_score_type=macro_f1')).toMatchObject([{ with_overlay: false, score: 1 }]);
    const committed = { [fixture.row_ids[0]!]: '1', [randomUUID()]: 'false' };
    await fixture.health(first, { mgt_overlay: committed });
    expect(await fixture.kept('&health_score_type=macro_f1')).toMatchObject([{ secondary: { accuracy: 0.5 }, run_id: first }]);
  });

  it('are those of the newest version that scored the run', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'true' }], { versions: 1 });
    const run_id = await fixture.run(1, [false]);
    const version_id = await newVersion(server, fixture.scorer_id);
    const found = await server.request('POST', `/v2/projects/${fixture.project_id}/traces/search`, {
      metrics_testing_id: run_id,
    });
    const [score] = await server.cradle.scoreStore.list(fixture.project_id, run_id, [found.body.records[0].id]);
    await server.cradle.scoreStore.insert([{ ...score!, scorer_version_id: version_id, value: true }]);
    expect((await fixture.health(run_id)).body).toMatchObject({ value: 1, total_scored_rows: 1 });
    expect(await fixture.kept()).toMatchObject([{ scorer_version_number: 2, score: 1 }]);
  });
});

describe('what is refused', () => {
  it.each<[string, object, (string | number)[]]>([
    ['no scorer', { scorer_id: undefined }, ['body', 'scorer_id']],
    ['a scorer id that is none', { scorer_id: 'x' }, ['body', 'scorer_id']],
    ['no output type', { output_type: null }, ['body', 'output_type']],
    ['an unknown output type', { output_type: 'number' }, ['body', 'output_type']],
    ['an unknown node type', { scoreable_node_types: ['trace', 'x'] }, ['body', 'scoreable_node_types', 1]],
    ['an overlay that is no map', { mgt_overlay: ['true'] }, ['body', 'mgt_overlay']],
    ['a truth that is no text', { mgt_overlay: { [randomUUID()]: true } }, ['body', 'mgt_overlay', expect.any(String)]],
  ])('%s: 422', async (_what, facts, loc) => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'true' }]);
    expect(await fixture.health(await fixture.newRun(), facts)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
  });

  it('runs and scorers that are not there, and log streams: 404', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'true' }]);
    const run_id = await fixture.newRun();
    const stream = await server.request('POST', `/v2/projects/${fixture.project_id}/log_streams`, { name: 'default' });
    expect(await fixture.health(randomUUID())).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
    expect(await fixture.health(stream.body.id)).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
    expect(await fixture.health(run_id, { scorer_id: randomUUID() })).toMatchObject({
      status: 404,
      body: { code: 'scorer_not_found' },
    });
  });

  it('the dataset of a run that the caller does not see: 404', async () => {
    const fixture = await HealthFixture.open(server, [{ mgt: 'true' }]);
    const run_id = await fixture.run(1, [true]);
    const guest = await person(server);
    const share = `/v2/projects/${fixture.project_id}/users`;
    expect((await server.request('POST', share, [{ user_id: guest.id, role: 'annotator' }])).status).toBe(200);
    const path = `/v2/projects/${fixture.project_id}/metrics-testing/${run_id}/health-score`;
    const body = { scorer_id: fixture.scorer_id, output_type: 'boolean' };
    expect(await guest.request('POST', path, body)).toMatchObject({ status: 404, body: { code: 'dataset_not_found' } });
    const list = `/v2/scorers/${fixture.scorer_id}/health-scores?dataset_id=${fixture.dataset_id}`;
    expect(await guest.request('GET', list)).toMatchObject({ status: 404, body: { code: 'dataset_not_found' } });
  });

  it('a list without a dataset: 422', async () => {
    const fixture = await HealthFixture.open(server, []);
    const reply = await server.request('GET', `/v2/scorers/${fixture.scorer_id}/health-scores`);
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'dataset_id'] }] } });
  });
});
