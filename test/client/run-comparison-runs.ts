import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer, TestSettings } from '../http/harness.ts';
import { scorerFixture } from '../http/scorers/scorer-fixture.ts';

/** A comparison by public operations alone: trials of programs on a dataset, and what sets them apart. Against a service that is started by `start`. */
export function runComparisonRuns(start: (settings: TestSettings) => Promise<TestServer>): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({});
  });
  afterAll(() => server.close());
  const fixture = scorerFixture(() => server);

  /** Ten rows; whether the input holds a 7 or an 8 is what is right. */
  async function dataset(): Promise<string> {
    const rows = Array.from({ length: 10 }, (_, at) => `q${at},${at === 7 || at === 8}`);
    const form = new FormData();
    form.append('file', new Blob([`input,mgt\n${rows.join('\n')}\n`]), 'rows.csv');
    form.append('name', randomUUID());
    return (await server.request('POST', '/v2/datasets?format=csv', undefined, { raw: form })).body.id;
  }

  async function tried(dataset_id: string, source: string): Promise<{ project_id: string; run_id: string }> {
    const fields = { dataset_id, scoreable_node_types: '["trace"]' };
    const { body } = await fixture.send('/v2/scorers/code/validate/dataset', source, fields, 'scorer.js');
    const { project_id, metrics_experiment_id: run_id } = body;
    const latest = `/v2/projects/${project_id}/runs/${run_id}/jobs/latest`;
    await expect.poll(async () => (await server.request('GET', latest)).body.status, { timeout: 15_000 }).toBe('completed');
    return { project_id, run_id };
  }

  describe('trials of programs on one dataset', () => {
    it('are compared row by row, with the records in which they differ', async () => {
      const dataset_id = await dataset();
      const { id: scorer_id } = await fixture.create({ scoreable_node_types: ['trace'], output_type: 'boolean' });
      const wrong = await tried(dataset_id, 'const scorer = ({ input }) => !/[78]/.test(input);');
      const right = await tried(dataset_id, 'const scorer = ({ input }) => /[78]/.test(input);');
      const failing = await tried(
        dataset_id,
        'const scorer = ({ input }) => { if (/[0-7]/.test(input)) throw new Error("no"); return true; };',
      );
      const runs = [wrong, right, failing].map(({ run_id }) => ({ run_id, scorer_id }));
      const { project_id } = wrong;
      const path = `/v2/projects/${project_id}/metrics-testing/compare`;
      const { status, body } = await server.request('POST', path, { runs, limit: 3 });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body).toMatchObject({
        ...{ dataset_id, output_type: 'boolean', test: 'mcnemar' },
        runs: [
          { rows: 10, failed_rows: 0, health: { value: 0 } },
          { rows: 10, health: { value: 1 } },
          { rows: 2, rows_without_score: 8, failed_rows: 8 },
        ],
        comparisons: [
          { run: 1, against: 0, rows: 10, difference: 1, adjusted_p_value: expect.closeTo(3 * 2 ** -9), verdict: 'better' },
          { run: 2, against: 0, rows: 2, only_in_against: 8, verdict: 'too_few_rows' },
          { run: 2, against: 1, rows: 2, verdict: 'too_few_rows' },
        ],
        warnings: [{ code: 'rows_failed' }],
        next_starting_token: 3,
      });
      expect(body.differing_rows).toHaveLength(3);
      for (const { run, against } of body.differing_rows)
        for (const [side, run_id] of [
          [run, right.run_id],
          [against, wrong.run_id],
        ] as const) {
          const record = await server.request('GET', `/v2/projects/${project_id}/traces/${side.trace_id}`);
          expect(record.body).toMatchObject({ id: side.record_id, run_id });
        }
      await server.request('DELETE', `/v2/datasets/${dataset_id}`);
      expect((await server.request('POST', path, { runs })).status).toBe(404);
    });
  });
}
