import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer, TestSettings } from '../http/harness.ts';
import { scorerFixture } from '../http/scorers/scorer-fixture.ts';

/** Health by the endpoints of the specification alone: a trial on a dataset, its health, and what is kept of it. Against a service that is started by `start`. */
export function candidateHealthRuns(start: (settings: TestSettings) => Promise<TestServer>): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({});
  });
  afterAll(() => server.close());
  const fixture = scorerFixture(() => server);

  /** Says yes where the output holds the word. */
  const saying = (word: string): string => `const scorer = ({ output }) => String(output).includes(${JSON.stringify(word)});`;

  async function dataset(): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob(['input,output,mgt\nq1,good,true\nq2,bad,false\nq3,good bad,true\n']), 'rows.csv');
    form.append('name', randomUUID());
    return (await server.request('POST', '/v2/datasets?format=csv', undefined, { raw: form })).body.id;
  }

  /** Tries a program on the rows, and has the health of the scorer computed in the run. */
  async function measured(scorer_id: string, dataset_id: string, source: string, facts: object = {}) {
    const fields = { dataset_id, scoreable_node_types: '["trace"]' };
    const { body: trial } = await fixture.send('/v2/scorers/code/validate/dataset', source, fields, 'scorer.js');
    const { project_id, metrics_experiment_id } = trial;
    const latest = `/v2/projects/${project_id}/runs/${metrics_experiment_id}/jobs/latest`;
    await expect.poll(async () => (await server.request('GET', latest)).body.status, { timeout: 15_000 }).toBe('completed');
    const path = `/v2/projects/${project_id}/metrics-testing/${metrics_experiment_id}/health-score`;
    const body = { scorer_id, output_type: 'boolean', scoreable_node_types: ['trace'], ...facts };
    const { status, body: health } = await server.request('POST', path, body);
    expect(status, JSON.stringify(health)).toBe(200);
    expect(health).toMatchObject({ joined_rows: 3, health_score_type: 'macro_f1' });
    return { run_id: metrics_experiment_id as string, health };
  }

  const kept = async (scorer_id: string, dataset_id: string) =>
    (await server.request('GET', `/v2/scorers/${scorer_id}/health-scores?dataset_id=${dataset_id}`)).body.scores;
  const scorer = () => fixture.create({ scoreable_node_types: ['trace'], output_type: 'boolean' });

  describe('the health of a candidate', () => {
    it('is kept with the version that runs the same, one for each, the first version first', async () => {
      const { id } = await scorer();
      const dataset_id = await dataset();
      const first = await fixture.upload(id, saying('good'));
      await measured(id, dataset_id, saying('good'));
      const [before] = await kept(id, dataset_id);
      expect(before).toMatchObject({ scorer_version_id: first.id, scorer_version_number: 1, score: 1, with_overlay: false });

      const second = await fixture.upload(id, saying('bad'));
      await measured(id, dataset_id, saying('bad'));
      const again = await measured(id, dataset_id, saying('good'));
      const scores = await kept(id, dataset_id);
      expect(scores).toMatchObject([
        { id: before.id, scorer_version_id: first.id, scorer_version_number: 1, score: 1, run_id: again.run_id },
        { scorer_version_id: second.id, scorer_version_number: 2, score: expect.any(Number) },
      ]);
      expect(scores).toHaveLength(2);
      expect(scores[1].score).toBeLessThan(1);
    });

    it('waits for the version that is made of it, whichever way that is made', async () => {
      const { id } = await scorer();
      const dataset_id = await dataset();
      await fixture.upload(id, saying('bad'));
      await measured(id, dataset_id, saying('good'));
      await measured(id, dataset_id, saying('good'));
      expect(await kept(id, dataset_id)).toEqual([]);
      const version = await fixture.upload(id, saying('good'));
      const restored = await server.request('POST', `/v2/scorers/${id}/versions/2/restore`);
      expect(restored.body.version).toBe(3);
      const scores = await kept(id, dataset_id);
      expect(scores).toMatchObject([{ scorer_version_id: version.id, scorer_version_number: 2, score: 1 }]);
      expect(scores).toHaveLength(1);
    });

    it('is no health of a scorer that runs something else, nor what an edit that is not committed makes of it', async () => {
      const [{ id }, other] = [await scorer(), await scorer()];
      const dataset_id = await dataset();
      await fixture.upload(id, saying('good'));
      await measured(other.id, dataset_id, saying('good'));
      expect(await kept(id, dataset_id)).toEqual([]);
      expect(await kept(other.id, dataset_id)).toEqual([]);
      const rows = (await server.request('GET', `/v2/datasets/${dataset_id}/content`)).body.rows;
      const { health } = await measured(id, dataset_id, saying('good'), { mgt_overlay: { [rows[0].row_id]: 'false' } });
      expect(health.value).toBeLessThan(1);
      expect(await kept(id, dataset_id)).toEqual([]);
    });
  });
}
