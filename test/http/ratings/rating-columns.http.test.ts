import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

let server: TestServer;
let owner: Person;
let ann: Person;
let project: string;
let log_stream_id: string;
let template_id: string;
let session_id: string;
/** Two by themselves and one in a session. */
let traces: string[];

const post = (path: string, body: object = {}, who = owner) => who.request('POST', project + path, body);
const feedback = (record_id: string, value: unknown, facts: object = {}) =>
  post('/feedback', { log_stream_id, record_id, name: 'thumb', feedback_type: 'like_dislike', value, ...facts });
const annotate = (who: Person, record_id: string, value: unknown) =>
  post('/annotations', { log_stream_id, record_id, template_id, value }, who);
const search = async (body: object, level = 'traces') =>
  (await post(`/${level}/search`, { log_stream_id, ...body })).body.records.map(({ id }: { id: string }) => id);
const column = async (level: string, id: string) => {
  const { body } = await post(`/${level}/available_columns`, { log_stream_id });
  return body.columns.find((one: { id: string }) => one.id === id);
};
const settle = async (): Promise<void> => {
  while ((await server.cradle.recordIndex.advance(50)) > 0);
};

beforeAll(async () => {
  server = await startTestServer();
  [owner, ann] = await Promise.all([person(server), person(server)]);
  project = `/v2/projects/${(await owner.request('POST', '/v2/projects', { name: 'Harbour' })).body.id}`;
  log_stream_id = (await post('/log_streams', { name: 'default' })).body.id;
  await post('/users', [{ user_id: ann.id, role: 'annotator' }]);
  session_id = (await post('/sessions', { log_stream_id, name: 'talk' })).body.id;
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
  const logged = [first, second].map((id) => ({
    id,
    input: 'a',
    output: 'b',
    spans: [{ type: 'llm', input: 'x', output: 'y' }],
  }));
  await post('/traces', { log_stream_id, traces: logged });
  await post('/traces', { log_stream_id, session_id, traces: [{ id: third, input: 'c', output: 'd' }] });
  traces = [first, second, third];
  template_id = (await post('/annotation_templates', { name: 'stars', annotation_type: 'star', truth_rule: 'mean' })).body.id;
  await feedback(first, true);
  await feedback(second, false);
  await feedback(session_id, false);
  for (const [who, value] of [
    [owner, 2],
    [ann, 5],
  ] as const)
    await annotate(who, first, value);
  await annotate(ann, second, 1);
});
afterAll(() => server.close());

describe('ratings as columns', () => {
  it('are among the columns of traces, spans and sessions, with their categories and types', async () => {
    expect(await column('traces', 'feedback/thumb')).toMatchObject({
      ...{ category: 'feedback', data_type: 'boolean', filter_type: 'boolean', label: 'thumb', group_label: 'Feedback' },
      ...{ sortable: true, filterable: true, is_empty: false },
    });
    const stars = { category: 'annotations', data_type: 'floating_point', filter_type: 'number', label: 'stars' };
    expect(await column('spans', `annotations/${template_id}`)).toMatchObject({ ...stars, is_empty: false });
    expect(await column('sessions', `annotations/${template_id}`)).toMatchObject({ ...stars, is_empty: false });
    expect(await column('sessions', 'feedback/thumb')).toMatchObject({ category: 'feedback', is_empty: false });
  });

  it('filter and order records', async () => {
    const down = { type: 'boolean', column_id: 'feedback/thumb', operator: 'eq', value: false };
    expect(await search({ filters: [down] })).toEqual([traces[1]]);
    const stars = { type: 'number', column_id: `annotations/${template_id}`, operator: 'gte', value: 3.5 };
    expect(await search({ filters: [stars] })).toEqual([traces[0]]);
    const sort = { column_id: `annotations/${template_id}`, ascending: true };
    expect(await search({ sort })).toEqual([traces[1], traces[0], traces[2]]);
    const unknown = await post('/traces/search', { log_stream_id, filters: [{ ...stars, column_id: 'annotations/none' }] });
    expect(unknown).toMatchObject({ status: 422, body: { code: 'filter_invalid' } });
  });

  it('filter and order sessions, which show them', async () => {
    const filters = [{ type: 'boolean', column_id: 'feedback/thumb', operator: 'eq', value: false }];
    const { body } = await post('/sessions/search', { log_stream_id, filters });
    const found = body.records.map(({ id, feedback_rating_info }: { id: string; feedback_rating_info: object }) => {
      return [id, Object.keys(feedback_rating_info)];
    });
    // A trace outside of sessions is one by itself.
    expect(found.sort()).toEqual([session_id, traces[1]].map((id) => [id, ['thumb']]).sort());
    const sort = { column_id: 'feedback/thumb', ascending: false };
    const ordered = await search({ sort, filters: [{ ...filters[0], operator: 'ne', value: false }] }, 'sessions');
    expect(ordered).toEqual([traces[0]]);
  });

  it('are counted by value', async () => {
    const column_ids = ['feedback/thumb', `annotations/${template_id}`];
    const { body } = await post('/traces/facets', { log_stream_id, column_ids });
    expect(body.facets.map(({ values }: { values: object[] }) => values)).toEqual([
      ['false', 'true'].map((value) => ({ value, count: 1 })),
      ['1', '3.5'].map((value) => ({ value, count: 1 })),
    ]);
  });

  it('are shown with selected columns and exported', async () => {
    const column_ids = ['id', 'feedback/thumb', `annotations/${template_id}`];
    const filters = [{ type: 'id', column_id: 'id', value: traces[0] }];
    const { body } = await post('/traces/partial_search', { log_stream_id, filters, select_columns: { column_ids } });
    expect(body.records[0]).toMatchObject({
      feedback_rating_info: { thumb: { value: true } },
      annotation_truths: { [template_id]: 3.5 },
    });
    const exported = (export_format: string) =>
      post('/export_records', { log_stream_id, root_type: 'trace', filters, column_ids, export_format });
    const csv = await exported('csv');
    expect(csv.body.trim().split(/\r?\n/)).toEqual([column_ids.join(','), `${traces[0]},true,3.5`]);
    expect(JSON.parse((await exported('jsonl')).body)).toMatchObject({
      'feedback/thumb': true,
      [`annotations/${template_id}`]: 3.5,
    });
  });

  it('are drawn, by themselves and as what groups are made of', async () => {
    await settle();
    const trends = `/log_streams/${log_stream_id}/trends`;
    const span = {
      start_time: new Date(Date.now() - 7_200_000).toISOString(),
      end_time: new Date(Date.now() + 7_200_000).toISOString(),
    };
    const widget = async (facts: object) => {
      const { body } = await post(`${trends}/widgets`, { name: 'w', type: 'number', section_id: 's', ...facts });
      const found = await post(`${trends}/widgets/${body.id}/query`, span);
      return found.body.series.map(({ group, value }: { group: string | null; value: number }) => [group, value]);
    };
    const dataset = [{ record_types: ['trace'] }];
    expect(await widget({ metric: 'feedback/thumb', aggregation: 'PercentageFalse', dataset })).toEqual([[null, 50]]);
    expect(await widget({ metric: `annotations/${template_id}`, aggregation: 'Average', dataset })).toEqual([[null, 2.25]]);
    const group_by = [{ record_types: ['trace'], group_by: 'feedback/thumb' }];
    const groups = await widget({ metric: 'records', aggregation: 'Count', dataset: group_by });
    expect(groups.sort()).toEqual(
      [
        ['false', 1],
        ['true', 1],
        [null, 1],
      ].sort(),
    );
  });

  it('say how far their raters agree', async () => {
    const agreement = (run_id: string, id = template_id) =>
      owner.request('GET', `${project}/runs/${run_id}/annotation_templates/${id}/agreement`);
    expect((await agreement(log_stream_id)).body).toEqual({
      ...{ num_raters: 2, num_records: 2, num_shared: 1, scale: 'ordinal', krippendorff_alpha: 0, fleiss_kappa: -1 },
      pairs: [{ annotator_ids: expect.arrayContaining([owner.id, ann.id]), num_records: 1, cohen_kappa: 0 }],
    });
    expect((await agreement(randomUUID())).status).toBe(404);
    expect((await agreement(log_stream_id, randomUUID())).status).toBe(404);
  });

  it('choose what goes into an annotation queue', async () => {
    const filters = [{ type: 'boolean', column_id: 'feedback/thumb', operator: 'eq', value: false }];
    const made = await post('/annotation_queues', { log_stream_id, name: 'bad', template_ids: [template_id], filters });
    expect(made.body).toMatchObject({ num_pending: 1 });
    expect((await post(`/annotation_queues/${made.body.id}/next`, {}, ann)).body.record.id).toBe(traces[1]);
  });

  it('follow the rule of their template, which has to fit the type', async () => {
    const path = `${project}/annotation_templates/${template_id}`;
    const refused = await post('/annotation_templates', { name: 'x', annotation_type: 'tags', truth_rule: 'mean' });
    expect(refused.status).toBe(422);
    const text = (await post('/annotation_templates', { name: 'why', annotation_type: 'text' })).body;
    expect(text.truth_rule).toBe('first');
    const wrong = await owner.request('PATCH', `${project}/annotation_templates/${text.id}`, { truth_rule: 'median' });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'truth_rule_mismatch' } });
    await owner.request('PATCH', path, { truth_rule: 'first' });
    const two = { type: 'number', column_id: `annotations/${template_id}`, operator: 'eq', value: 2 };
    expect(await search({ filters: [two] })).toEqual([traces[0]]);
  });

  it('go with what they are about', async () => {
    await owner.request('DELETE', `${project}/annotation_templates/${template_id}`);
    expect(await column('traces', `annotations/${template_id}`)).toBeUndefined();
    await post('/traces/delete', { log_stream_id, filters: [] });
    await settle();
    expect(await column('traces', 'feedback/thumb')).toBeUndefined();
  });
});
