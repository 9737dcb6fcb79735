import { randomUUID } from 'node:crypto';
import type { RowValues } from '../../../core/datasets/row.ts';
import type { JsonValue } from '../../../core/kernel/json.ts';
import type { RunKind } from '../../../core/projects/run.ts';
import { ROW_ID_KEY, type RunOrigin } from '../../../core/projects/run-origin.ts';
import type { NewScore } from '../../../core/scores/score.ts';
import { makeDataset, rowsIn } from '../datasets/dataset-fixture.ts';
import type { TestServer } from '../harness.ts';

/** A scorer with some versions, a dataset with ground truth, and a project to try the one on the other in. */
export class HealthFixture {
  readonly server: TestServer;
  readonly project_id: string;
  readonly scorer_id: string;
  /** By number, from 1. */
  readonly version_ids: readonly string[];
  readonly dataset_id: string;
  readonly row_ids: readonly string[];

  private constructor(
    facts: Pick<HealthFixture, 'server' | 'project_id' | 'scorer_id' | 'version_ids' | 'dataset_id' | 'row_ids'>,
  ) {
    this.server = facts.server;
    this.project_id = facts.project_id;
    this.scorer_id = facts.scorer_id;
    this.version_ids = facts.version_ids;
    this.dataset_id = facts.dataset_id;
    this.row_ids = facts.row_ids;
  }

  static async open(
    server: TestServer,
    rows: readonly RowValues[],
    { output_type = 'boolean', versions = 1, source }: { output_type?: string; versions?: number; source?: string } = {},
  ): Promise<HealthFixture> {
    const project_id = (await server.request('POST', '/v2/projects', { name: randomUUID() })).body.id;
    const scorer = { name: randomUUID(), scorer_type: 'code', scoreable_node_types: ['trace'], output_type };
    const scorer_id = (await server.request('POST', '/v2/scorers', scorer)).body.id;
    const version_ids = [''];
    for (let version = 1; version <= versions; version += 1) version_ids.push(await newVersion(server, scorer_id, source));
    const { id: dataset_id } = await makeDataset(server, rows);
    const row_ids = (await rowsIn(server, dataset_id)).map(({ row_id }) => row_id);
    return new HealthFixture({ server, project_id, scorer_id, version_ids, dataset_id, row_ids });
  }

  /** A run whose traces were made from the rows, one each; `said` are the scores of a version, undefined where it failed. */
  async run(version: number, said: readonly (JsonValue | undefined)[], facts: RunFacts = {}): Promise<string> {
    const { cradle } = this.server;
    const run_id = await this.newRun(facts);
    const traces = said.map((_value, at) => ({ id: randomUUID(), ...(facts.trace ?? namingItsRow)(this.row_ids[at]!, at) }));
    const ids = facts.kind === 'experiment' ? { experiment_id: run_id } : { metrics_testing_id: run_id };
    const { status } = await this.server.request('POST', `/v2/projects/${this.project_id}/traces`, { ...ids, traces });
    if (status !== 200) throw new Error(`traces were refused with ${status}`);
    const scores = traces.map(({ id }, at) => this.#score(run_id, id, version, said[at]));
    await cradle.scoreStore.insert(scores);
    return run_id;
  }

  async newRun({ kind = 'metrics_testing', origin = {} }: RunFacts = {}): Promise<string> {
    const { projectStore, runOriginStore } = this.server.cradle;
    const { project_id, scorer_id, dataset_id } = this;
    const run = { project_id, id: randomUUID(), kind, name: randomUUID(), created_by: null, has_user_created_sessions: false };
    const now = new Date().toISOString();
    await projectStore.insertRun({ ...run, created_at: now, updated_at: now });
    const from = { dataset_id, dataset_version_index: 1, scorer_version_id: null, source_run_id: null };
    await runOriginStore.put({ project_id, run_id: run.id, ...from, scorer_id, ...origin });
    return run.id;
  }

  health(run_id: string, facts: object = {}) {
    const body = { scorer_id: this.scorer_id, output_type: 'boolean', ...facts };
    return this.server.request('POST', `/v2/projects/${this.project_id}/metrics-testing/${run_id}/health-score`, body);
  }

  async kept(query = '') {
    const path = `/v2/scorers/${this.scorer_id}/health-scores?dataset_id=${this.dataset_id}${query}`;
    return (await this.server.request('GET', path)).body.scores;
  }

  #score(run_id: string, record_id: string, version: number, value: JsonValue | undefined): NewScore {
    const { project_id, scorer_id } = this;
    return {
      ...SCORED,
      project_id,
      run_id,
      record_id,
      scorer_id,
      scorer_version_id: this.version_ids[version]!,
      status_type: value === undefined ? 'error' : 'success',
      value: value ?? null,
    };
  }
}

export interface RunFacts {
  readonly kind?: Exclude<RunKind, 'log_stream'>;
  readonly origin?: Partial<RunOrigin>;
  readonly trace?: (row_id: string, at: number) => object;
}

export const namingItsRow = (row_id: string): object => ({ dataset_metadata: { [ROW_ID_KEY]: row_id } });

const SCORED = {
  metric_name: 'tried out',
  explanation: null,
  message: null,
  effort: null,
  judged: null,
  scored_at: '2026-01-02T03:04:05.678Z',
};

export async function newVersion(
  server: TestServer,
  scorer_id: string,
  source = 'function scorer() { return true; }',
): Promise<string> {
  const form = new FormData();
  form.append('validation_result', '{}');
  form.append('file', new Blob([source]), 'scorer.js');
  return (await server.request('POST', `/v2/scorers/${scorer_id}/version/code`, undefined, { raw: form })).body.id;
}
