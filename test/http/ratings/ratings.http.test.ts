import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

let server: TestServer;
let owner: Person;
let ann: Person;
let bob: Person;
let project: string;
let log_stream_id: string;
let traces: string[];
beforeAll(async () => {
  server = await startTestServer();
  [owner, ann, bob] = await Promise.all([person(server), person(server), person(server)]);
  project = `/v2/projects/${(await owner.request('POST', '/v2/projects', { name: 'Harbour' })).body.id}`;
  log_stream_id = (await owner.request('POST', `${project}/log_streams`, { name: 'default' })).body.id;
  const sharers = [ann, bob].map(({ id }) => ({ user_id: id, role: 'annotator' }));
  await owner.request('POST', `${project}/users`, sharers);
  const logged = [1, 2, 3].map((n) => ({ id: randomUUID(), input: `question ${n}`, output: `answer ${n}` }));
  await owner.request('POST', `${project}/traces`, { log_stream_id, traces: logged });
  traces = logged.map(({ id }) => id);
});
afterAll(() => server.close());

const post = (who: Person, path: string, body: object = {}) => who.request('POST', project + path, body);
const trace = async (id: string) => (await owner.request('GET', `${project}/traces/${id}`)).body;
const template = async (facts: object) => (await post(owner, '/annotation_templates', facts)).body;

describe('feedback', () => {
  const give = (facts: object, who = owner) =>
    post(who, '/feedback', { log_stream_id, record_id: traces[0], feedback_type: 'star', value: 4, ...facts });

  it('is shown on its record, the last word of each name, until it is taken back', async () => {
    expect((await give({ value: 2 })).status).toBe(200);
    await give({ explanation: 'quick' });
    await give({ name: 'thumb', feedback_type: 'like_dislike', value: true });
    expect((await trace(traces[0]!)).feedback_rating_info).toEqual({
      feedback: { feedback_type: 'star', value: 4, explanation: 'quick' },
      thumb: { feedback_type: 'like_dislike', value: true, explanation: null },
    });
    await give({ name: 'thumb', feedback_type: 'like_dislike', value: null });
    const found = await post(owner, '/traces/search', { log_stream_id });
    const infos = found.body.records.map((record: { feedback_rating_info: object }) => Object.keys(record.feedback_rating_info));
    expect(infos.flat()).toEqual(['feedback']);
  });

  it('comes with selected columns when it is asked for', async () => {
    const select_columns = { column_ids: ['name'], include_all_feedback: true };
    const { body } = await post(owner, '/traces/partial_search', { log_stream_id, select_columns });
    expect(body.records.some((record: { feedback_rating_info: object }) => 'feedback' in record.feedback_rating_info)).toBe(true);
    expect(body.records[0]).not.toHaveProperty('metrics');
  });

  it('is refused when it fits neither its type nor a record', async () => {
    expect(await give({ value: 6 })).toMatchObject({ status: 422, body: { code: 'rating_invalid' } });
    expect(await give({ record_id: randomUUID() })).toMatchObject({ status: 404, body: { code: 'record_not_found' } });
    expect((await give({ feedback_type: 'stars' })).status).toBe(422);
    expect((await give({}, ann)).status).toBe(403);
  });
});

describe('annotations', () => {
  it('are shown by template and annotator, with what they come to', async () => {
    const { id } = await template({ name: 'right?', annotation_type: 'like_dislike' });
    const annotate = (who: Person, value: unknown) =>
      post(who, '/annotations', { log_stream_id, record_id: traces[1], template_id: id, value });
    await annotate(ann, true);
    await annotate(bob, false);
    await annotate(bob, true);
    const record = await trace(traces[1]!);
    expect(record.annotations[id]).toEqual({
      [ann.id]: { annotation_type: 'like_dislike', value: true, explanation: null },
      [bob.id]: { annotation_type: 'like_dislike', value: true, explanation: null },
    });
    const aggregate = { like_dislike: { like_count: 2, dislike_count: 0, unrated_count: 0 } };
    expect(record.annotation_aggregates).toEqual({ [id]: { aggregate } });
    await annotate(bob, null);
    expect(Object.keys((await trace(traces[1]!)).annotations[id])).toEqual([ann.id]);
    expect(await annotate(ann, 3)).toMatchObject({ status: 422, body: { code: 'rating_invalid' } });
    expect((await owner.request('DELETE', `${project}/annotation_templates/${id}`)).status).toBe(200);
    expect((await trace(traces[1]!)).annotations).toEqual({});
  });

  it('follow templates, which editors make and rename', async () => {
    const made = await template({ name: 'kind', annotation_type: 'tags', choices: ['a', 'b'] });
    const path = `${project}/annotation_templates/${made.id}`;
    const changed = await owner.request('PATCH', path, { name: 'sort', choices: ['a'] });
    expect(changed.body).toMatchObject({ id: made.id, name: 'sort', choices: ['a'], annotation_type: 'tags' });
    expect((await ann.request('GET', `${project}/annotation_templates`)).body).toMatchObject([{ name: 'sort' }]);
    expect((await ann.request('PATCH', path, { name: 'mine' })).status).toBe(403);
    expect((await post(owner, '/annotation_templates', { name: 'sort', annotation_type: 'text' })).status).toBe(409);
    const bounds = { name: 'x', annotation_type: 'score', min: 5, max: 5 };
    expect((await post(owner, '/annotation_templates', bounds)).status).toBe(422);
    await owner.request('DELETE', path);
  });
});

describe('an experiment', () => {
  it('shows what the answers about its traces come to', async () => {
    const { id } = (await post(owner, '/experiments', { name: 'rated' })).body;
    const logged = [1, 2].map((n) => ({ id: randomUUID(), input: `question ${n}` }));
    await post(owner, '/traces', { experiment_id: id, traces: logged });
    const stars = await template({ name: 'rating', annotation_type: 'star' });
    const answer = { experiment_id: id, record_id: logged[0]!.id, template_id: stars.id };
    await post(ann, '/annotations', { ...answer, value: 4 });
    await post(bob, '/annotations', { ...answer, value: 5 });
    const { body } = await owner.request('GET', `${project}/experiments/${id}`);
    const star = { average: 4.5, counts: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 1 }, unrated_count: 1 };
    expect(body.rating_aggregates).toEqual({ [stars.id]: { star } });
    await owner.request('DELETE', `${project}/annotation_templates/${stars.id}`);
  });
});

describe('an annotation queue', () => {
  it('hands its records out one by one, and makes ground truth of the answers', async () => {
    const right = await template({ name: 'right', annotation_type: 'like_dislike' });
    const why = await template({ name: 'why', annotation_type: 'text' });
    const template_ids = [right.id, why.id];
    const made = await post(owner, '/annotation_queues', { log_stream_id, name: 'first look', template_ids });
    expect(made).toMatchObject({ status: 200, body: { num_pending: 3, num_done: 0, num_skipped: 0 } });
    const queue = `/annotation_queues/${made.body.id}`;
    const next = async (who: Person) => (await post(who, `${queue}/next`)).body;
    const [a, b] = [await next(ann), await next(bob)];
    expect(a.templates.map(({ name }: { name: string }) => name)).toEqual(['right', 'why']);
    expect(a.record.id).not.toBe(b.record.id);
    expect((await next(ann)).record.id).toBe(a.record.id);
    const answers = [
      { template_id: right.id, value: true },
      { template_id: why.id, value: 'it is noon' },
    ];
    const answer = (who: Person, id: string, body: object) => post(who, `${queue}/items/${id}`, body);
    expect(await answer(ann, a.record.id, { answers: answers.slice(1) })).toMatchObject({
      status: 422,
      body: { code: 'answer_missing' },
    });
    expect(await answer(ann, a.record.id, { answers })).toMatchObject({ status: 200, body: { num_pending: 2, num_done: 1 } });
    expect((await answer(ann, a.record.id, { answers })).status).toBe(404);
    await answer(bob, b.record.id, { skip: true });
    const last = (await next(bob)).record;
    await post(owner, '/traces/delete', {
      log_stream_id,
      filters: [{ type: 'id', column_id: 'id', operator: 'eq', value: last.id }],
    });
    expect((await next(bob)).record).toBeNull();
    expect((await owner.request('GET', project + queue)).body).toMatchObject({ num_pending: 0, num_done: 1, num_skipped: 1 });

    const raw = new FormData();
    raw.set('file', new Blob(['input,output,mgt\n']), 'truth.csv');
    const headers = { 'service-api-key': owner.api_key };
    const res = await fetch(`${server.url}/v2/datasets?format=csv`, { method: 'POST', headers, body: raw });
    const { id: dataset_id } = (await res.json()) as { id: string };
    const exported = await post(owner, `${queue}/dataset`, { dataset_id, template_id: right.id });
    expect(exported.body).toEqual({ dataset_id, version_index: 2, rows_added: 1, records_without_answer: 0 });
    const { rows } = (await owner.request('GET', `/v2/datasets/${dataset_id}/content`)).body;
    expect(rows).toMatchObject([{ values_dict: { input: a.record.input, output: a.record.output, mgt: 'true' } }]);
    expect((await trace(a.record.id)).annotations[right.id]).toHaveProperty(ann.id);
    expect((await owner.request('DELETE', project + queue)).status).toBe(200);
    expect((await owner.request('GET', project + queue)).status).toBe(404);
  });

  it('takes named records, those that pass filters, and more later', async () => {
    const { id } = await template({ name: 'stars', annotation_type: 'star' });
    const logged = { id: randomUUID(), input: 'question 4' };
    await post(owner, '/traces', { log_stream_id, traces: [logged] });
    const record_ids = [logged.id];
    const named = await post(owner, '/annotation_queues', { log_stream_id, name: 'n', template_ids: [id], record_ids });
    expect(named.body.num_pending).toBe(1);
    const filters = [{ type: 'text', column_id: 'input', operator: 'contains', value: 'question' }];
    const more = await post(owner, `/annotation_queues/${named.body.id}/items`, { filters });
    expect(more.body.num_pending).toBeGreaterThan(1);
    const unknown = { log_stream_id, name: 'x', template_ids: [id], record_ids: [randomUUID()] };
    expect(await post(owner, '/annotation_queues', unknown)).toMatchObject({ status: 422, body: { code: 'record_unknown' } });
    expect((await post(ann, '/annotation_queues', { ...unknown, record_ids })).status).toBe(403);
    expect((await ann.request('GET', `${project}/annotation_queues`)).body).toHaveLength(1);
  });
});
