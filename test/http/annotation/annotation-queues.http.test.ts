import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

let server: TestServer;
let owner: Person;
let ann: Person;
let bob: Person;
let eve: Person;
let project: string;
let log_stream_id: string;
let right: string;

const post = (who: Person, path: string, body: object = {}) => who.request('POST', project + path, body);
const get = async (path: string, who = owner) => (await who.request('GET', project + path)).body;
const log = async (count: number, name = 'refund'): Promise<string[]> => {
  const traces = Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    name,
    input: `question ${n}`,
    output: `answer ${n}`,
  }));
  await post(owner, '/traces', { log_stream_id, traces });
  return traces.map(({ id }) => id);
};
const make = async (facts: object): Promise<string> => {
  const { status, body } = await post(owner, '/annotation_queues', { log_stream_id, name: 'q', template_ids: [right], ...facts });
  expect({ status, body }).toMatchObject({ status: 200 });
  return `/annotation_queues/${body.id}`;
};
const next = async (queue: string, who: Person) => (await post(who, `${queue}/next`)).body;
const answer = (queue: string, who: Person, id: string, value: unknown, to = '') =>
  post(who, `${queue}/items/${id}${to}`, { answers: [{ template_id: right, value }] });
const skip = (queue: string, who: Person, id: string, skip_reason?: string) =>
  post(who, `${queue}/items/${id}`, { skip: true, skip_reason });
const removeTraces = (ids: string[]) =>
  post(owner, '/traces/delete', {
    log_stream_id,
    filters: ids.map((value) => ({ type: 'id', column_id: 'id', operator: 'eq', value })),
  });

beforeAll(async () => {
  server = await startTestServer();
  [owner, ann, bob, eve] = await Promise.all([person(server), person(server), person(server), person(server)]);
  project = `/v2/projects/${(await owner.request('POST', '/v2/projects', { name: 'Harbour' })).body.id}`;
  log_stream_id = (await post(owner, '/log_streams', { name: 'default' })).body.id;
  await post(
    owner,
    '/users',
    [ann, bob, eve].map(({ id }) => ({ user_id: id, role: 'annotator' })),
  );
  right = (await post(owner, '/annotation_templates', { name: 'right', annotation_type: 'like_dislike' })).body.id;
});
afterAll(() => server.close());

describe('an annotation queue with several answers a record', () => {
  it('goes from a filter by two annotators and a reviewer to ground truth, and loses what retention removes', async () => {
    await log(3);
    await log(1, 'other');
    const filters = [{ type: 'text', column_id: 'name', operator: 'eq', value: 'refund' }];
    const people = { assignee_ids: [ann.id, bob.id], reviewer_ids: [eve.id] };
    const queue = await make({ filters, ...people, answers_required: 2, review: 'disagreement', order_by: 'oldest' });
    expect(await get(queue)).toMatchObject({ num_pending: 3, num_in_review: 0, answers_required: 2, ...people });

    const seen: Record<string, boolean[]> = {};
    const work = async (who: Person, values: boolean[]) => {
      for (const value of values) {
        const { record, reserved_until } = await next(queue, who);
        expect(Date.parse(reserved_until)).toBeGreaterThan(Date.now());
        expect((await next(queue, who)).record.id).toBe(record.id);
        expect(record.annotations).toEqual({});
        expect((await answer(queue, who, record.id, value)).status).toBe(200);
        seen[record.id] = [...(seen[record.id] ?? []), value];
      }
      expect((await next(queue, who)).record).toBeNull();
    };
    await work(ann, [true, false, true]);
    await work(bob, [true, false, false]);
    expect(await get(queue)).toMatchObject({ num_pending: 0, num_in_review: 1, num_done: 2 });

    const disputed = Object.keys(seen).find((id) => seen[id]![0] !== seen[id]![1])!;
    expect((await post(ann, `${queue}/review`)).body.code).toBe('annotator_not_assigned');
    const review = (await post(eve, `${queue}/review`)).body;
    expect(review.record.id).toBe(disputed);
    const shown = { annotation_type: 'like_dislike', explanation: null };
    expect(review.record.annotations[right]).toEqual({
      [ann.id]: { ...shown, value: true },
      [bob.id]: { ...shown, value: false },
    });
    expect(review.record.annotation_truths[right]).toBeNull();
    expect((await answer(queue, eve, disputed, false, '/review')).body).toMatchObject({ num_in_review: 0, num_done: 3 });
    expect((await get(`/traces/${disputed}`)).annotation_truths[right]).toBe(false);

    const progress = await get(`${queue}/progress`, ann);
    expect(progress).toMatchObject({ num_items: 3, num_done: 3, num_answers: 6, num_reserved: 0, skip_reasons: [] });
    const counts = Object.fromEntries(progress.annotators.map((one: { annotator_id: string }) => [one.annotator_id, one]));
    expect(counts[ann.id]).toMatchObject({ num_answered: 3, num_reviewed: 0 });
    expect(counts[eve.id]).toMatchObject({ num_answered: 0, num_reviewed: 1 });
    const agreement = await get(`${queue}/annotation_templates/${right}/agreement`);
    expect(agreement).toMatchObject({ num_raters: 2, num_records: 3, num_shared: 3, scale: 'nominal' });
    expect(agreement.pairs).toEqual([
      { annotator_ids: expect.arrayContaining([ann.id, bob.id]), num_records: 3, cohen_kappa: expect.closeTo(0.4, 9) },
    ]);
    const ofRun = await get(`/runs/${log_stream_id}/annotation_templates/${right}/agreement`);
    expect(ofRun).toEqual(agreement);

    const raw = new FormData();
    raw.set('file', new Blob(['input,output,mgt\n']), 'truth.csv');
    const headers = { 'service-api-key': owner.api_key };
    const res = await fetch(`${server.url}/v2/datasets?format=csv`, { method: 'POST', headers, body: raw });
    const { id: dataset_id } = (await res.json()) as { id: string };
    expect((await post(owner, `${queue}/dataset`, { dataset_id, template_id: right })).body).toMatchObject({ rows_added: 3 });
    const { rows } = (await owner.request('GET', `/v2/datasets/${dataset_id}/content`)).body;
    const truths = rows.map(({ values_dict: { metadata, mgt } }: { values_dict: { metadata: string; mgt: string } }) => [
      JSON.parse(metadata).record_id,
      mgt,
    ]);
    const expected = Object.entries(seen).map(([id, [value]]) => [id, String(id === disputed ? false : value)]);
    expect(Object.fromEntries(truths)).toEqual(Object.fromEntries(expected));

    const kept = Object.keys(seen).filter((id) => id !== disputed);
    await removeTraces([disputed]);
    const { items } = await get(`${queue}/items`);
    expect(items.map(({ record_id }: { record_id: string }) => record_id).sort()).toEqual(kept.sort());
    expect(await get(`${queue}/progress`)).toMatchObject({ num_items: 2, num_answers: 4 });
    expect((await owner.request('DELETE', project + queue)).status).toBe(200);
    expect((await owner.request('GET', `${project}${queue}/progress`)).status).toBe(404);
    expect((await get(`/traces/${kept[0]}`)).annotations[right]).toHaveProperty(ann.id);
  });

  it('gives a record to no more annotators than it wants answers, until one of them hands it back or is late', async () => {
    const record_ids = await log(1);
    const queue = await make({ record_ids, reservation_seconds: 60 });
    const id = record_ids[0]!;
    expect((await next(queue, ann)).record.id).toBe(id);
    expect((await next(queue, bob)).record).toBeNull();
    expect(await answer(queue, bob, id, true)).toMatchObject({ status: 409, body: { code: 'annotation_item_reserved' } });
    const release = () => ann.request('DELETE', `${project}${queue}/items/${id}/reservation`);
    expect((await release()).status).toBe(200);
    expect((await release()).status).toBe(200);
    expect((await next(queue, bob)).record.id).toBe(id);
    expect((await next(queue, ann)).record).toBeNull();
    const late = {
      annotator_id: bob.id,
      role: 'annotator',
      now: '2000-01-01T00:00:00.000Z',
      until: '2000-01-01T00:01:00.000Z',
    } as const;
    await server.cradle.annotationQueueStore.reserve(project.split('/').at(-1)!, queue.split('/').at(-1)!, late);
    expect((await next(queue, ann)).record.id).toBe(id);
    expect((await answer(queue, ann, id, true)).body).toMatchObject({ num_done: 1 });
  });

  it('takes an annotator at their last word until the record is complete', async () => {
    const record_ids = await log(1);
    const queue = await make({ record_ids, answers_required: 2, review: 'disagreement' });
    await answer(queue, ann, record_ids[0]!, false);
    expect((await answer(queue, ann, record_ids[0]!, true)).body).toMatchObject({ num_pending: 1 });
    expect((await answer(queue, bob, record_ids[0]!, true)).body).toMatchObject({ num_pending: 0, num_done: 1 });
    expect((await answer(queue, ann, record_ids[0]!, false)).body.code).toBe('annotation_item_not_found');
  });

  it('counts why records are skipped, and gives a record up that cannot have its answers any more', async () => {
    const record_ids = await log(3);
    const queue = await make({ record_ids, answers_required: 2, assignee_ids: [ann.id, bob.id, eve.id] });
    const [one, two, three] = record_ids as [string, string, string];
    expect((await skip(queue, ann, one, 'unclear')).body).toMatchObject({ num_pending: 3, num_skipped: 0 });
    expect((await next(queue, ann)).record.id).toBe(two);
    expect((await skip(queue, bob, one, 'unclear')).body).toMatchObject({ num_pending: 2, num_skipped: 1 });
    await skip(queue, ann, two);
    const { skip_reasons, num_skipped } = await get(`${queue}/progress`);
    expect({ skip_reasons, num_skipped }).toEqual({
      num_skipped: 1,
      skip_reasons: [
        { reason: 'unclear', count: 2 },
        { reason: null, count: 1 },
      ],
    });
    const { items } = await get(`${queue}/items?status=skipped`);
    expect(items).toMatchObject([
      {
        record_id: one,
        trace_id: one,
        name: expect.any(String),
        assignments: [{ skip_reason: 'unclear' }, { skip_reason: 'unclear' }],
      },
    ]);
    expect((await next(queue, ann)).record.id).toBe(three);
  });

  it('is reviewed by somebody else than who answered, and by those who configure feedback where nobody is named', async () => {
    const record_ids = await log(1);
    const queue = await make({ record_ids, review: 'all' });
    expect((await answer(queue, owner, record_ids[0]!, true)).body).toMatchObject({ num_in_review: 1, num_done: 0 });
    expect((await post(owner, `${queue}/review`)).body.record).toBeNull();
    expect((await answer(queue, owner, record_ids[0]!, true, '/review')).body.code).toBe('review_of_own_answer');
    expect((await post(eve, `${queue}/review`)).body.code).toBe('role_too_low');
    const update = await owner.request('PATCH', project + queue, { reviewer_ids: [eve.id], name: 'second look' });
    expect(update.body).toMatchObject({ name: 'second look', reviewer_ids: [eve.id], assignee_ids: [] });
    expect((await post(eve, `${queue}/review`)).body.record.id).toBe(record_ids[0]);
    expect((await answer(queue, eve, record_ids[0]!, false, '/review')).body).toMatchObject({ num_done: 1 });
  });

  it('is for its assignees alone, who are enough for the answers it wants', async () => {
    const record_ids = await log(1);
    const few = { log_stream_id, name: 'q', template_ids: [right], record_ids, answers_required: 2, assignee_ids: [ann.id] };
    expect(await post(owner, '/annotation_queues', few)).toMatchObject({ status: 422, body: { code: 'assignees_too_few' } });
    const queue = await make({ record_ids, assignee_ids: [ann.id] });
    expect((await post(bob, `${queue}/next`)).body.code).toBe('annotator_not_assigned');
    expect((await answer(queue, bob, record_ids[0]!, true)).status).toBe(403);
    await owner.request('PATCH', project + queue, { assignee_ids: [bob.id] });
    expect((await next(queue, bob)).record.id).toBe(record_ids[0]);
  });

  it('stores every answer of annotators who answer at once, and completes the record once', async () => {
    const record_ids = await log(4);
    const queue = await make({ record_ids, answers_required: 3, review: 'disagreement' });
    const all = [ann, bob, eve].flatMap((who) => record_ids.map((id) => answer(queue, who, id, who !== eve)));
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(await get(`${queue}/progress`)).toMatchObject({ num_in_review: 4, num_pending: 0, num_answers: 12 });
  });
});
