import { expect } from 'vitest';
import { HTTPValidationError } from './interface-spec-shapes.ts';
import { specRequests, statements } from './interface-spec-statements.ts';

const { ask, at, id, ok, refused, fixture } = specRequests();

statements('PATCH /v2/groups/{group_id}', [
  [
    'changes what is sent and leaves the rest',
    async () => {
      await ok('PATCH', `/v2/groups/${id('group_id')}`, { name: 'first', description: 'one' });
      expect(await ok('PATCH', `/v2/groups/${id('group_id')}`, { name: 'second' })).toMatchObject({
        name: 'second',
        description: 'one',
      });
      const same = await ok('PATCH', `/v2/groups/${id('group_id')}`, {});
      expect(same).toMatchObject({ name: 'second', description: 'one', size: 1, role: 'maintainer', visibility: 'private' });
    },
  ],
]);

statements('PUT /v2/integrations/cloud_model_hosting and PUT /v2/integrations/gateway', [
  [
    'make one integration for the caller, and update it the next time',
    async () => {
      const body = { token: 'k', endpoint: 'https://198.41.0.4/v1', use_case: 'x' };
      const first = await ok('PUT', '/v2/integrations/gateway', body);
      const second = await ok('PUT', '/v2/integrations/gateway', { ...body, use_case: 'y' });
      expect(second).toMatchObject({ id: first.id, provider: 'gateway', created_at: first.created_at });
      expect(await ok('GET', '/v2/integrations/gateway')).toMatchObject({ use_case: 'y', endpoint: 'https://198.41.0.4/v1' });
    },
  ],
  [
    'never show a secret',
    async () => {
      const token = { cloud_access_key_id: 'very-secret-1', cloud_secret_access_key: 'very-secret-2', further: 'very-secret-3' };
      const made = await ok('PUT', '/v2/integrations/cloud_model_hosting', { token });
      const shown = await ok('GET', '/v2/integrations/cloud_model_hosting');
      expect(shown).toMatchObject({ credential_type: 'key_secret', region: 'us-west-2' });
      expect(JSON.stringify([made, shown])).not.toContain('very-secret');
      const bad = await ask('PUT', '/v2/integrations/cloud_model_hosting', {
        token,
        credential_type: 'very-secret-4',
        region: 7,
      });
      expect(bad.status).toBe(422);
      expect(JSON.stringify(bad.body)).not.toContain('very-secret');
    },
  ],
  [
    'a token has what its credential type needs',
    async () => {
      const role = { role_arn: 'arn:aws:iam::123456789012:role/r', external_id: 'ours', session_name: 's' };
      await ok('PUT', '/v2/integrations/cloud_model_hosting', { credential_type: 'assumed_role', token: role });
      await refused('PUT', '/v2/integrations/cloud_model_hosting', { token: role }, ['body', 'token']);
    },
  ],
]);

statements('POST /v2/datasets/{dataset_id}/versions/query', [
  ['has the newest version first where nothing is said', async () => expect(await versions(undefined)).toEqual([2, 1])],
  [
    'goes upwards for a sort that does not say otherwise',
    async () => {
      for (const sort of [{}, { name: 'version_index' }, { ascending: true }, { sort_type: 'column' }])
        expect(await versions({ sort })).toEqual([1, 2]);
      expect(await versions({ sort: { ascending: false } })).toEqual([2, 1]);
      expect(await versions({ sort: null })).toEqual([2, 1]);
    },
  ],
  [
    'takes an empty body whatever its content type says',
    async () => {
      for (const type of ['application/x-www-form-urlencoded', 'application/json', 'text/plain']) {
        const init = { headers: { 'content-type': type } };
        const reply = await fixture().server.request('POST', `/v2/datasets/${id('dataset_id')}/versions/query`, undefined, init);
        expect(reply.status, type).toBe(200);
      }
    },
  ],
  [
    'counts what a version changed',
    async () => {
      const [second, first] = (await ok('POST', `/v2/datasets/${id('dataset_id')}/versions/query`)).versions;
      expect(first).toMatchObject({ num_rows: 2, rows_added: 2, columns_added: 3, column_names: ['input', 'output', 'mgt'] });
      expect(second).toMatchObject({ num_rows: 3, rows_added: 1, rows_removed: 0, rows_edited: 0, columns_added: 0 });
    },
  ],
]);

statements('POST /v2/datasets/{dataset_id}/content/query', [
  [
    'filters by columns, all of which have to hold, and looks for a part unless told otherwise',
    async () => {
      expect(await inputs([{ column_name: 'input', value: 'q' }])).toEqual(['q1', 'q2', 'q3']);
      expect(await inputs([{ column_name: 'output', value: 'a', operator: null }])).toEqual(['q2']);
      expect(await inputs([{ column_name: 'output', value: 'good', operator: 'eq' }])).toEqual(['q1']);
      expect(
        await inputs([
          { column_name: 'mgt', value: 'true' },
          { column_name: 'input', value: 'q1', operator: 'ne' },
        ]),
      ).toEqual(['q3']);
    },
  ],
  [
    'needs no body',
    async () => expect((await ok('POST', `/v2/datasets/${id('dataset_id')}/content/query`)).rows).toHaveLength(3),
  ],
  [
    'refuses a column that is not there, with its place',
    () =>
      refused('POST', `/v2/datasets/${id('dataset_id')}/content/query`, { filters: [{ column_name: 'x', value: 'y' }] }, [
        'body',
        'filters',
        0,
        'column_name',
      ]),
  ],
]);

statements('GET /v2/datasets/{dataset_id}/versions/{version_index}/content', [
  [
    'has the rows of that version, with the versions that made and changed them',
    async () => {
      const [first, second] = [await ok('GET', content(1)), await ok('GET', content(2))];
      expect(first.rows.map(({ index }: { index: number }) => index)).toEqual([0, 1]);
      expect(second.rows.map((row: { metadata: { created_in_version: number } }) => row.metadata.created_in_version)).toEqual([
        1, 1, 2,
      ]);
      expect(first.rows[0]).toMatchObject({
        values: ['q1', 'good', 'true'],
        values_dict: { input: 'q1', output: 'good', mgt: 'true' },
      });
    },
  ],
]);

statements('GET /v2/datasets/{dataset_id}/projects, /users and /groups', [
  [
    'show the projects, users and groups that the dataset is connected to',
    async () => {
      const dataset = `/v2/datasets/${id('dataset_id')}`;
      expect((await ok('GET', `${dataset}/projects`)).projects).toMatchObject([{ id: id('project_id'), name: 'Atlas' }]);
      const { collaborators } = await ok('GET', `${dataset}/users`);
      expect(collaborators.map(({ role }: { role: string }) => role).sort()).toEqual(['owner', 'viewer']);
      expect(collaborators).toContainEqual(
        expect.objectContaining({ user_id: fixture().guest.id, email: fixture().guest.email }),
      );
      expect((await ok('GET', `${dataset}/groups`)).collaborators).toMatchObject([{ group_id: id('group_id'), role: 'viewer' }]);
    },
  ],
]);

statements('PATCH /v2/integrations/{integration_id}/users/{user_id}', [
  [
    'an empty object is taken and changes nothing',
    async () => {
      const path = `/v2/integrations/${id('integration_id')}/users/${fixture().guest.id}`;
      const before = await ok('PATCH', path, { role: 'annotator' });
      expect(before).toMatchObject({ role: 'annotator', user_id: fixture().guest.id });
      expect(await ok('PATCH', path, {})).toEqual(before);
      expect(await ok('PATCH', path, { role: null })).toEqual(before);
    },
  ],
]);

statements('Errors', [
  [
    'a body that is no JSON, or none at all where one is needed, is invalid',
    async () => {
      for (const raw of ['{', 'no json', '', '[]', '"x"', '7', 'null']) {
        const init = { raw, headers: { 'content-type': 'application/json' } };
        const reply = await fixture().server.request('POST', widgets(), undefined, init);
        expect([raw, reply.status]).toEqual([raw, 422]);
        HTTPValidationError.parse(reply.body);
      }
    },
  ],
]);

const content = (version: number): string => `/v2/datasets/${id('dataset_id')}/versions/${version}/content`;
const widgets = (): string => `${at()}/log_streams/${id('log_stream_id')}/trends/widgets`;
const versions = async (body: unknown): Promise<number[]> =>
  (await ok('POST', `/v2/datasets/${id('dataset_id')}/versions/query`, body)).versions.map(
    (one: { version_index: number }) => one.version_index,
  );
const inputs = async (filters: object[]): Promise<string[]> =>
  (await ok('POST', `/v2/datasets/${id('dataset_id')}/content/query`, { filters })).rows.map(
    (row: { values_dict: { input: string } }) => row.values_dict.input,
  );
