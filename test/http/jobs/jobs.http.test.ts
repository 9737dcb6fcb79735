import { randomUUID } from 'node:crypto';
import { asValue } from 'awilix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobHandler } from '../../../core/jobs/job-handler.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

/** Counts to what it is asked for, once it may. */
const gate = Promise.withResolvers<void>();
const counting: JobHandler = {
  job_name: 'counting',
  prepare: async (caller, { project_id, run_id, job_name, to }) => ({
    job_name,
    project_id,
    run_id,
    created_by: caller.user_id,
    request_data: { to: Number(to) },
    steps_total: Number(to),
  }),
  run: async ({ steps_total }, desk) => {
    await desk.report({ steps_completed: 1, steps_total, message: 'one' });
    await gate.promise;
    return { counted: steps_total };
  },
};

/** Ends when it is told to. */
const ended = Promise.withResolvers<null>();
const waiting: JobHandler = { ...counting, job_name: 'waiting', run: () => ended.promise };

let server: TestServer;
let owner: Person;
let other: Person;
let project_id: string;
let run_id: string;
beforeAll(async () => {
  server = await startTestServer({ overrides: { jobHandlers: asValue<readonly JobHandler[]>([counting, waiting]) } });
  [owner, other] = await Promise.all([person(server), person(server)]);
  project_id = (await owner.request('POST', '/v2/projects', { name: 'counts' })).body.id;
  run_id = (await owner.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'a stream' })).body.id;
});
afterAll(() => server.close());

describe('jobs', () => {
  it('are started by name, watched by id, and listed with their run', async () => {
    const asked = { project_id, run_id, job_name: 'counting', to: 4, xray: true };
    const started = await owner.request('POST', '/v2/jobs', asked);
    expect(started).toMatchObject({ status: 200, body: { ...asked, message: expect.any(String), job_id: expect.any(String) } });
    const { job_id, link } = started.body;
    await eventually(async () => expect((await owner.request('GET', link)).body).toMatchObject({ steps_completed: 1 }));
    expect((await owner.request('GET', `/v2/jobs/${job_id}`)).body).toMatchObject({
      id: job_id,
      job_name: 'counting',
      project_id,
      run_id,
      status: 'processing',
      request_data: { to: 4 },
      progress_message: 'one',
      progress_percent: 25,
    });
    const ofRun = `/v2/projects/${project_id}/runs/${run_id}/jobs`;
    expect((await owner.request('GET', `${ofRun}?status=completed`)).body).toEqual([]);
    gate.resolve();
    await eventually(async () => expect((await owner.request('GET', link)).body).toMatchObject({ status: 'completed' }));
    expect((await owner.request('GET', `${ofRun}?status=completed`)).body).toHaveLength(1);
    expect((await owner.request('GET', `${ofRun}/latest`)).body).toMatchObject({ id: job_id, progress_percent: 100 });
    expect((await other.request('GET', link)).status).toBe(404);
  });

  it('are started once when the same is asked for twice at once', async () => {
    const asked = { project_id, run_id, job_name: 'waiting', to: 7 };
    const replies = await Promise.all([1, 2].map(() => owner.request('POST', '/v2/jobs', asked)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]!.body.job_id).toBe(replies[1]!.body.job_id);
    ended.resolve(null);
    const [first] = replies;
    await eventually(async () =>
      expect((await owner.request('GET', first!.body.link)).body).toMatchObject({ status: 'completed' }),
    );
    expect((await owner.request('POST', '/v2/jobs', asked)).body.job_id).not.toBe(first!.body.job_id);
  });

  it('without a project are seen by whoever started them alone', async () => {
    const asked = { job_name: 'counting', project_id: null, run_id: null, request_data: {} };
    const { id } = await server.cradle.jobs.start({ ...asked, created_by: owner.id });
    expect((await owner.request('GET', `/v2/jobs/${id}`)).status).toBe(200);
    expect((await other.request('GET', `/v2/jobs/${id}`)).status).toBe(404);
  });

  it('are refused when nobody can start them, and when the run is not there', async () => {
    const unknown = await owner.request('POST', '/v2/jobs', { project_id, run_id });
    expect(unknown).toMatchObject({ status: 422, body: { code: 'job_name_unknown', detail: [{ loc: ['body', 'job_name'] }] } });
    const elsewhere = { project_id, run_id: randomUUID(), job_name: 'counting' };
    expect(await owner.request('POST', '/v2/jobs', elsewhere)).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
  });
});
