import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sourceForm } from './interface-spec-fixture.ts';
import { specRequests, statements } from './interface-spec-statements.ts';

const { ask, at, id, ok, refused, fixture } = specRequests();

statements('POST /v2/login/social and POST /v2/verify_email', [
  [
    'the token of a social login is a bearer token',
    async () => {
      const login = { provider: 'okta', id_token: await fixture().id_token() };
      const { access_token } = (await fixture().askWithout('POST', '/v2/login/social', login)).body;
      const headers = { authorization: `Bearer ${access_token}` };
      expect((await fixture().askWithout('GET', '/v2/current_user', undefined, { headers })).status).toBe(200);
    },
  ],
  [
    'an id token of nobody is refused without a token',
    async () => {
      const reply = await fixture().askWithout('POST', '/v2/login/social', { provider: 'okta', id_token: 'x.y.z' });
      expect(reply).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
    },
  ],
]);

statements('POST /v2/projects/{project_id}/metrics-testing/{run_id}/health-score', [
  [
    'counts rows with a score, with ground truth and with both, and keys of secondary are numbers or null',
    async () => {
      const body = await health({});
      expect(body).toMatchObject({ health_score_type: 'macro_f1', value: 1, skipped_rows: 0 });
      expect(body).toMatchObject({ total_scored_rows: 2, total_mgt_rows: 2, joined_rows: 2 });
    },
  ],
  [
    'ground truth of the overlay goes before that of the dataset, and null takes it away',
    async () => {
      const [first, second] = await rowIds();
      expect(await health({ mgt_overlay: { [first!]: 'false' } })).toMatchObject({ secondary: { accuracy: 0.5 } });
      expect(await health({ mgt_overlay: { [second!]: null } })).toMatchObject({ total_mgt_rows: 1, joined_rows: 1 });
      expect((await ok('GET', content(1))).rows[0].values_dict.mgt).toBe('true');
    },
  ],
  [
    'value is null when no row is valid',
    async () => {
      const [first, second] = await rowIds();
      const empty = await health({ mgt_overlay: { [first!]: null, [second!]: null } });
      expect(empty).toMatchObject({ value: null, joined_rows: 0, total_mgt_rows: 0, secondary: {} });
    },
  ],
  [
    'rows whose ground truth cannot be read are skipped',
    async () => {
      const [first] = await rowIds();
      expect(await health({ mgt_overlay: { [first!]: 'perhaps' } })).toMatchObject({ skipped_rows: 1 });
    },
  ],
  [
    'the output type selects the metric',
    async () => {
      const types = { boolean: 'macro_f1', categorical: 'macro_f1', multilabel: 'micro_f1', percentage: 'mse', count: 'mae' };
      for (const [output_type, type] of Object.entries({
        ...types,
        discrete: 'mae',
        freeform: null,
        boolean_multilabel: 'micro_f1',
      }))
        expect((await health({ output_type })).health_score_type).toBe(type);
    },
  ],
  [
    'the node types say which records carry the score',
    async () => {
      expect(await health({ scoreable_node_types: ['llm'] })).toMatchObject({ total_scored_rows: 0, value: null });
      expect(await health({ scoreable_node_types: ['trace'] })).toMatchObject({ total_scored_rows: 2 });
    },
  ],
  [
    'a computed score is shown by health-scores, once however often it is computed',
    async () => {
      await health({});
      await health({});
      const { scores } = await ok(
        'GET',
        `/v2/scorers/${id('scorer_id')}/health-scores?dataset_id=${id('dataset_id')}&health_score_type=macro_f1`,
      );
      expect(scores).toMatchObject([{ scorer_version_number: 1, health_score_type: 'macro_f1', score: 1 }]);
      expect(scores).toHaveLength(1);
    },
  ],
]);

statements('GET /v2/scorers/{scorer_id}/health-scores', [
  ['needs a dataset', () => refused('GET', `/v2/scorers/${id('scorer_id')}/health-scores`, undefined, ['query', 'dataset_id'])],
  [
    'may be of one type',
    async () => {
      const path = `/v2/scorers/${id('scorer_id')}/health-scores?dataset_id=${id('dataset_id')}&health_score_type=`;
      for (const type of ['macro_f1', 'micro_f1', 'mse', 'mae'])
        expect(
          (await ok('GET', path + type)).scores.every((one: { health_score_type: string }) => one.health_score_type === type),
        ).toBe(true);
      await refused('GET', `${path}f2`, undefined, ['query', 'health_score_type']);
    },
  ],
]);

statements('POST /v2/scorers/code/validate/log_record and /dataset', [
  [
    'scores the records that were chosen, in a run that is read by the answered id',
    async () => {
      const filters = JSON.stringify([{ type: 'text', column_id: 'name', operator: 'eq', value: 't' }]);
      const form = sourceForm({ log_stream_id: id('log_stream_id'), scoreable_node_types: '["trace"]', filters, limit: '1' });
      const { body } = await fixture().server.request('POST', '/v2/scorers/code/validate/log_record', undefined, { raw: form });
      expect(body.project_id).toBe(id('project_id'));
      const search = () => ok('POST', `${at()}/traces/search`, { metrics_testing_id: body.metrics_experiment_id });
      await expect
        .poll(async () => Object.keys((await search()).records[0]?.metric_info ?? {}), { timeout: 15_000 })
        .toHaveLength(1);
      expect((await search()).records).toHaveLength(1);
    },
  ],
  [
    'is of one run',
    async () => {
      const both = sourceForm({ log_stream_id: id('log_stream_id'), experiment_id: randomUUID() });
      for (const raw of [both, sourceForm({})])
        expect((await fixture().server.request('POST', '/v2/scorers/code/validate/log_record', undefined, { raw })).status).toBe(
          422,
        );
    },
  ],
]);

statements('GET /v2/scorers/{scorer_id}/version', [
  [
    'is the latest, or the one that is asked for',
    async () => {
      const scorer = await ok('POST', '/v2/scorers', { name: randomUUID(), scorer_type: 'code' });
      for (const word of ['a', 'b'])
        await fixture().server.request('POST', `/v2/scorers/${scorer.id}/version/code`, undefined, {
          raw: sourceForm({}, `const scorer = () => "${word}";`),
        });
      expect(await ok('GET', `/v2/scorers/${scorer.id}/version`)).toMatchObject({ version: 2, scorer_id: scorer.id });
      expect(await ok('GET', `/v2/scorers/${scorer.id}/version?version=1`)).toMatchObject({ version: 1 });
      expect((await ask('GET', `/v2/scorers/${scorer.id}/version?version=3`)).status).toBe(404);
      await refused('GET', `/v2/scorers/${scorer.id}/version?version=x`, undefined, ['query', 'version']);
    },
  ],
]);

statements('GET /v2/scorers/{scorer_id}/projects', [
  [
    'counts all projects beside the page, and names the log streams that use the scorer',
    async () => {
      await ok('PATCH', settings(), { scorers: [{ id: id('scorer_id') }] });
      const page = await ok('GET', `/v2/scorers/${id('scorer_id')}/projects?limit=1`);
      const log_streams = [{ id: id('log_stream_id'), name: 'default' }];
      expect(page).toMatchObject({ total_count: 1, projects: [{ id: id('project_id'), log_streams, num_logstreams: 1 }] });
    },
  ],
]);

const health = (facts: object) =>
  ok('POST', `${at()}/metrics-testing/${id('metrics_run_id')}/health-score`, {
    scorer_id: id('scorer_id'),
    output_type: 'boolean',
    ...facts,
  });
const content = (version: number): string => `/v2/datasets/${id('dataset_id')}/versions/${version}/content`;
const rowIds = async (): Promise<string[]> => (await ok('GET', content(1))).rows.map((row: { row_id: string }) => row.row_id);
const settings = (): string => `${at()}/log_streams/${id('log_stream_id')}/metric_settings`;
