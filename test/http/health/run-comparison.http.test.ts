import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../core/kernel/json.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { HealthFixture, newVersion } from './health-fixture.ts';

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const path = ({ project_id }: { readonly project_id: string }): string => `/v2/projects/${project_id}/metrics-testing/compare`;

interface Side {
  readonly run_id: string;
  readonly scorer_id?: string;
}

const ask = (
  fixture: HealthFixture,
  runs: readonly (string | Side)[],
  body: object = {},
  asked: Pick<TestServer, 'request'> = server,
) =>
  asked.request('POST', path(fixture), {
    runs: runs.map((one) => ({ scorer_id: fixture.scorer_id, ...(typeof one === 'string' ? { run_id: one } : one) })),
    ...body,
  });

/** Twelve rows whose truth is yes. */
const ROWS = Array.from({ length: 12 }, (_, at) => ({ input: `q${at}`, mgt: 'yes' }));
const says = (right: number, of = 12): JsonValue[] => Array.from({ length: of }, (_, at) => at < right);

describe('a comparison of metrics-testing runs', () => {
  it('tells for each run its health, and for each pair the difference, its interval, the test and the verdict', async () => {
    const fixture = await HealthFixture.open(server, ROWS, { versions: 3 });
    const runs = [await fixture.run(1, says(2)), await fixture.run(2, says(12)), await fixture.run(3, says(3))];
    const { status, body } = await ask(fixture, runs, { baseline: 0 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      output_type: 'boolean',
      dataset_id: fixture.dataset_id,
      agreement: 'right',
      lower_is_better: false,
      test: 'mcnemar',
      significance_level: 0.05,
      warnings: [],
      rows_of: { run: 1, against: 0 },
    });
    expect(body.runs).toMatchObject([
      { run_id: runs[0], scorer_version_number: 1, dataset_version_index: 1, truth_column: 'mgt', rows: 12, failed_rows: 0 },
      { run_id: runs[1], scorer_version_number: 2, health: { value: 1, secondary: { accuracy: 1 }, joined_rows: 12 } },
      { run_id: runs[2], scorer_version_number: 3 },
    ]);
    for (const [at, run_id] of runs.entries()) expect(body.runs[at].health).toEqual((await fixture.health(run_id)).body);
    expect(body.comparisons).toMatchObject([
      {
        ...{ run: 1, against: 0, rows: 12, only_in_run: 0, only_in_against: 0, truth_differs: 0 },
        ...{ run_mean: 1, against_mean: 2 / 12, better_rows: 10, worse_rows: 0, equal_rows: 2, verdict: 'better' },
        test: { method: 'mcnemar_exact', statistic: 0, p_value: expect.closeTo(2 ** -9) },
        adjusted_p_value: expect.closeTo(2 ** -8),
        interval: { level: 0.95, method: 'agresti_min' },
      },
      { run: 2, against: 0, better_rows: 1, test: { p_value: 1 }, adjusted_p_value: 1, verdict: 'no_difference_shown' },
    ]);
    const [first] = body.comparisons;
    expect(first.difference).toBeCloseTo(10 / 12, 12);
    expect(first.interval.low).toBeLessThan(first.difference);
    expect(first.interval.high).toBeGreaterThan(0.5);
    expect((await fixture.kept()).map(({ run_id }: { run_id: string }) => run_id)).toEqual(runs);
  });

  it('compares every pair without a baseline, and corrects for all of them', async () => {
    const fixture = await HealthFixture.open(server, ROWS, { versions: 3 });
    const runs = [await fixture.run(1, says(0)), await fixture.run(2, says(6)), await fixture.run(3, says(6))];
    const alone = (await ask(fixture, runs.slice(0, 2))).body;
    expect(alone.comparisons).toMatchObject([{ adjusted_p_value: expect.closeTo(2 ** -5), verdict: 'better' }]);
    const { comparisons } = (await ask(fixture, runs)).body;
    expect(comparisons.map(({ run, against }: { run: number; against: number }) => [run, against])).toEqual([
      [1, 0],
      [2, 0],
      [2, 1],
    ]);
    // 3 · 2⁻⁵ is above 0.05, where the p-value by itself is not.
    expect(comparisons).toMatchObject([
      {
        test: { p_value: expect.closeTo(2 ** -5) },
        adjusted_p_value: expect.closeTo(3 * 2 ** -5),
        verdict: 'no_difference_shown',
      },
      { verdict: 'no_difference_shown' },
      { difference: 0, test: { p_value: 1 }, adjusted_p_value: 1 },
    ]);
  });

  it('puts rows together by their ids, whatever their order, and counts those of one run alone', async () => {
    const fixture = await HealthFixture.open(server, ROWS);
    const right = Array.from({ length: 12 }, (_, at) => at % 3 === 0);
    const one = await fixture.run(1, right);
    const reversed = fixture.row_ids.toReversed();
    const trace = (_row_id: string, at: number) => ({ dataset_metadata: { dataset_row_id: reversed[at] } });
    // The same score for the same row, told from the last row to the third.
    const other = await fixture.run(1, right.toReversed().slice(0, 10), { trace });
    const { body } = await ask(fixture, [one, other]);
    expect(body.comparisons).toMatchObject([
      { rows: 10, only_in_run: 0, only_in_against: 2, equal_rows: 10, difference: 0, test: { p_value: 1 } },
    ]);
    expect(body.differing_rows).toEqual([]);
  });

  it('lists the rows in which two runs differ, the largest difference first, by pages, with the records of both', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => ({ input: `q${at}`, mgt: '3' }));
    const fixture = await HealthFixture.open(server, rows, { output_type: 'discrete', versions: 2 });
    const one = await fixture.run(1, [3, 3, 3, 3, 3, 3, 3, 3]);
    const other = await fixture.run(2, [3, 4, 5, 1, 3, 3, 3, 3]);
    const first = (await ask(fixture, [one, other], { limit: 2 })).body;
    expect(first).toMatchObject({ agreement: 'absolute_error', lower_is_better: true, next_starting_token: 2 });
    expect(first.differing_rows).toMatchObject([
      {
        row_id: fixture.row_ids[2],
        truth: 3,
        run: { score: 5, agreement: 2 },
        against: { score: 3, agreement: 0 },
        difference: 2,
      },
      { row_id: fixture.row_ids[3], difference: 2 },
    ]);
    const { run } = first.differing_rows[0];
    const record = await server.request('GET', `/v2/projects/${fixture.project_id}/traces/${run.trace_id}`);
    expect(record.body).toMatchObject({ id: run.record_id, dataset_metadata: { dataset_row_id: fixture.row_ids[2] } });
    const second = (await ask(fixture, [one, other], { limit: 2, starting_token: 2 })).body;
    expect(second).toMatchObject({ paginated: false, differing_rows: [{ row_id: fixture.row_ids[1], difference: 1 }] });
    const turned = (await ask(fixture, [one, other], { rows_of: { run: 0, against: 1 } })).body;
    expect(turned).toMatchObject({ rows_of: { run: 0, against: 1 } });
    expect(turned.differing_rows.map(({ difference }: { difference: number }) => difference)).toEqual([-2, -2, -1]);
  });

  it('takes the test that fits the output type, or another one that fits', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => ({ input: `q${at}`, mgt: String((at + 1) / 20) }));
    const fixture = await HealthFixture.open(server, rows, { output_type: 'percentage', versions: 2 });
    const [near, far] = [
      await fixture.run(
        1,
        rows.map(({ mgt }) => Number(mgt) + 0.01),
      ),
      await fixture.run(
        2,
        rows.map(({ mgt }, at) => Number(mgt) + 0.1 + at / 100),
      ),
    ];
    const asked = async (body: object = {}) => (await ask(fixture, [far, near], body)).body;
    expect(await asked()).toMatchObject({
      ...{ test: 'wilcoxon_signed_rank', agreement: 'absolute_error', lower_is_better: true },
      comparisons: [
        {
          ...{ run_mean: expect.closeTo(0.01), against_mean: expect.closeTo(0.145), difference: expect.closeTo(-0.135) },
          ...{ better_rows: 10, verdict: 'better', interval: { method: 'paired_t' } },
          test: { method: 'wilcoxon_signed_rank_exact', statistic: 0, p_value: expect.closeTo(2 ** -9) },
        },
      ],
    });
    expect(await asked({ test: 'paired_t' })).toMatchObject({
      comparisons: [{ test: { method: 'paired_t' }, verdict: 'better' }],
    });
    expect((await asked({ test: 'mcnemar' })).code).toBe('test_does_not_fit');
    const counted = await asked({ output_type: 'discrete', test: 'mcnemar' });
    expect(counted).toMatchObject({ agreement: 'right', lower_is_better: false, output_type: 'discrete' });
  });

  it('compares sets of labels by their overlap, and as right or wrong where that is asked for', async () => {
    const rows = Array.from({ length: 6 }, (_, at) => ({ input: `q${at}`, mgt: 'a; b' }));
    const fixture = await HealthFixture.open(server, rows, { output_type: 'multilabel', versions: 2 });
    const whole = await fixture.run(
      1,
      rows.map(() => ['b', 'A']),
    );
    const half = await fixture.run(
      2,
      rows.map(() => ['a']),
    );
    expect((await ask(fixture, [half, whole])).body).toMatchObject({
      agreement: 'label_f1',
      comparisons: [
        { against_mean: expect.closeTo(2 / 3), run_mean: 1, verdict: 'better', test: { method: 'wilcoxon_signed_rank_exact' } },
      ],
      differing_rows: [{ truth: ['a', 'b'], run: { score: ['b', 'A'] } }, {}, {}, {}, {}, {}],
    });
    expect((await ask(fixture, [half, whole], { test: 'mcnemar' })).body).toMatchObject({
      agreement: 'right',
      comparisons: [{ against_mean: 0, run_mean: 1, test: { method: 'mcnemar_exact' } }],
    });
  });

  it('counts rows without ground truth, without a score, and those on which the scorer failed', async () => {
    const rows = [...ROWS.slice(0, 8), { input: 'x', mgt: '' }, { input: 'y', mgt: 'no' }, { input: 'z', mgt: 'unsure' }];
    const fixture = await HealthFixture.open(server, rows, { versions: 2 });
    const some = await fixture.run(1, [undefined, undefined, true, true, true, true, true, true, true, false, true]);
    const all = await fixture.run(2, says(9, 9));
    const { body } = await ask(fixture, [some, all]);
    expect(body.runs).toMatchObject([
      { rows: 7, rows_without_truth: 1, rows_without_score: 2, failed_rows: 2, health: { skipped_rows: 1 } },
      { rows: 8, rows_without_truth: 1, rows_without_score: 2, failed_rows: 0, health: { skipped_rows: 0 } },
    ]);
    expect(body.comparisons).toMatchObject([{ rows: 6, only_in_run: 2, only_in_against: 1 }]);
    expect(body.warnings).toMatchObject([{ code: 'rows_failed', message: expect.stringContaining('1 runs') }]);
  });

  it('compares several scorers of one run, of which each may have its own column', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => ({ input: `q${at}`, mgt: 'yes', kind: at < 2 ? 'no' : 'yes' }));
    const fixture = await HealthFixture.open(server, rows);
    const second = { name: randomUUID(), scorer_type: 'code', scoreable_node_types: ['trace'], output_type: 'boolean' };
    const other = (await server.request('POST', '/v2/scorers', second)).body.id;
    const version = await newVersion(server, other);
    const run_id = await fixture.run(1, says(10, 10));
    const traces = await server.request('POST', `/v2/projects/${fixture.project_id}/traces/search`, {
      metrics_testing_id: run_id,
    });
    await server.cradle.scoreStore.insert(
      traces.body.records.map(({ id }: { id: string }) => ({
        ...{ project_id: fixture.project_id, run_id, record_id: id, scorer_id: other, scorer_version_id: version },
        ...{ metric_name: 'other', status_type: 'success', value: false, scored_at: '2026-01-02T03:04:05.678Z' },
        ...{ explanation: null, message: null, effort: null, judged: null },
      })),
    );
    const sides = [{ run_id }, { run_id, scorer_id: other }];
    const { body } = await ask(fixture, sides);
    expect(body).toMatchObject({
      runs: [{ scorer_id: fixture.scorer_id }, { scorer_id: other, scorer_name: second.name }],
      comparisons: [{ rows: 10, run_mean: 0, against_mean: 1, verdict: 'worse' }],
      warnings: [],
    });
    const columns = { [other]: 'kind' };
    await server.request('PATCH', `/v2/datasets/${fixture.dataset_id}/ground_truth_columns`, { columns });
    const parted = (await ask(fixture, sides)).body;
    expect(parted).toMatchObject({
      runs: [{ truth_column: 'mgt' }, { truth_column: 'kind' }],
      comparisons: [{ rows: 8, truth_differs: 2 }],
      warnings: [{ code: 'truth_columns_differ' }, { code: 'truths_differ', message: expect.stringContaining('2 rows') }],
    });
  });

  it('warns of runs through different versions of the dataset, and leaves rows out whose truth was changed', async () => {
    const fixture = await HealthFixture.open(server, ROWS, { versions: 2 });
    const before = await fixture.run(1, says(12));
    const edits = [{ edit_type: 'update_row', row_id: fixture.row_ids[0], values: { mgt: 'no' } }];
    const edited = await server.request('PATCH', `/v2/datasets/${fixture.dataset_id}/content`, { edits });
    expect(edited.status).toBeLessThan(300);
    const after = await fixture.run(2, says(12), { origin: { dataset_version_index: 2 } });
    expect((await ask(fixture, [before, after])).body).toMatchObject({
      comparisons: [{ rows: 11, truth_differs: 1 }],
      warnings: [{ code: 'dataset_versions_differ', message: expect.stringContaining('1, 2') }, { code: 'truths_differ' }],
    });
    const mgt_overlay = { [fixture.row_ids[0]!]: 'yes' };
    expect((await ask(fixture, [before, after], { mgt_overlay })).body).toMatchObject({
      comparisons: [{ rows: 12, truth_differs: 0 }],
      warnings: [{ code: 'dataset_versions_differ' }],
    });
  });

  it('refuses runs that share no rows, types that do not fit, and places that are none', async () => {
    const fixture = await HealthFixture.open(server, ROWS);
    const runs = [await fixture.run(1, says(3)), await fixture.run(1, says(3))];
    const codeOf = async (reply: ReturnType<typeof ask>) => [(await reply).status, (await reply).body.code];
    const other = await HealthFixture.open(server, ROWS);
    const elsewhere = await fixture.run(1, says(3), { origin: { dataset_id: other.dataset_id } });
    expect(await codeOf(ask(fixture, [runs[0]!, elsewhere]))).toEqual([422, 'runs_not_comparable']);
    const loose = { origin: { dataset_id: null, dataset_version_index: null } };
    const without = [await fixture.run(1, says(3), loose), await fixture.run(1, says(3), loose)];
    expect(await codeOf(ask(fixture, without))).toEqual([422, 'runs_not_comparable']);
    expect(await codeOf(ask(fixture, runs, { output_type: 'freeform' }))).toEqual([422, 'runs_not_comparable']);
    const percent = { name: randomUUID(), scorer_type: 'code', output_type: 'percentage' };
    const scorer_id = (await server.request('POST', '/v2/scorers', percent)).body.id;
    const mixed = [runs[0]!, { run_id: runs[1]!, scorer_id }];
    expect(await codeOf(ask(fixture, mixed))).toEqual([422, 'runs_not_comparable']);
    expect((await ask(fixture, mixed, { output_type: 'boolean' })).body).toMatchObject({
      warnings: [{ code: 'output_types_differ' }],
    });
    for (const [sides, body] of [
      [[runs[0]!], {}],
      [[runs[0]!, runs[0]!], {}],
      [runs, { baseline: 2 }],
      [runs, { rows_of: { run: 1, against: 1 } }],
      [runs, { rows_of: { run: 1, against: 7 } }],
      [Array.from({ length: 11 }, () => randomUUID()), {}],
    ] as const)
      expect((await ask(fixture, sides, body)).status).toBe(422);
  });

  it('is for who may read the project and the dataset, and knows no runs of other projects', async () => {
    const fixture = await HealthFixture.open(server, ROWS);
    const other = await HealthFixture.open(server, ROWS);
    const runs = [await fixture.run(1, says(3)), await fixture.run(1, says(4))];
    const foreign = await other.run(1, says(3));
    expect((await ask(fixture, [runs[0]!, foreign])).body.code).toBe('run_not_found');
    expect((await ask(fixture, [runs[0]!, { run_id: runs[1]!, scorer_id: foreign }])).body.code).toBe('scorer_not_found');
    const ada = await person(server);
    expect((await ask(fixture, runs, {}, ada)).status).toBe(404);
    await server.request('POST', `/v2/projects/${fixture.project_id}/users`, [{ user_id: ada.id, role: 'viewer' }]);
    expect((await ask(fixture, runs, {}, ada)).status).toBe(404);
    await server.request('POST', `/v2/datasets/${fixture.dataset_id}/users`, [{ user_id: ada.id, role: 'viewer' }]);
    expect((await ask(fixture, runs, {}, ada)).status).toBe(200);
  });

  it('is found from the health of versions, which names the projects of its runs to who sees them', async () => {
    const fixture = await HealthFixture.open(server, ROWS, { versions: 2 });
    for (const version of [1, 2]) await fixture.health(await fixture.run(version, says(3)));
    const { project_id } = fixture;
    expect(await fixture.kept()).toMatchObject([{ project_id }, { project_id }]);
    const ada = await person(server);
    await server.request('POST', `/v2/datasets/${fixture.dataset_id}/users`, [{ user_id: ada.id, role: 'viewer' }]);
    const path = `/v2/scorers/${fixture.scorer_id}/health-scores?dataset_id=${fixture.dataset_id}`;
    expect((await ada.request('GET', path)).body.scores).toMatchObject([{ project_id: null }, { project_id: null }]);
  });

  it('takes experiments as well as trials, and runs without any score', async () => {
    const fixture = await HealthFixture.open(server, ROWS);
    const experiment = await fixture.run(1, says(9), { kind: 'experiment' });
    const empty = await fixture.newRun();
    expect((await ask(fixture, [experiment, empty])).body).toMatchObject({
      runs: [{ rows: 12 }, { rows: 0, scorer_version_id: null, health: { value: null } }],
      comparisons: [
        { rows: 0, only_in_against: 12, difference: null, interval: null, test: { p_value: 1 }, verdict: 'too_few_rows' },
      ],
      differing_rows: [],
    });
  });
});
