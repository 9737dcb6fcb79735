import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresService, startPostgresService } from '../setup/postgres-service.ts';

let server: PostgresService;
let project_id: string;
let log_stream_id: string;
const [trace_id, span_id] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  server = await startPostgresService();
  project_id = (await server.request('POST', '/v2/projects', { name: 'p' })).body.id;
  log_stream_id = (await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 's' })).body.id;
  const traces = [{ id: trace_id, spans: [{ type: 'tool', id: span_id }] }];
  expect((await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces })).status).toBe(200);
});
afterAll(() => server.close());

const WAITING = `select count(*)::int as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;

/** Does the work while no write to the log stream can be committed, nor begin to be. */
const whileHeld = (work: (untilOneWaits: () => Promise<void>) => Promise<void>): Promise<void> =>
  server.session.run(async () => {
    await server.session.sql('select from runs where project_id = $1 and id = $2 for update', [project_id, log_stream_id]);
    const waiting = async () => (await server.session.sql<{ waiting: number }>(WAITING, []))[0]!.waiting;
    await work(() => expect.poll(waiting, { timeout: 20_000 }).toBe(1));
  });

describe.each([false, true])('a write marked reliable: %s', (reliable) => {
  it.each<[string, string, object]>([
    ['POST', 'traces', { traces: [{ input: 'x' }] }],
    ['POST', 'spans', { trace_id, parent_id: trace_id, spans: [{ type: 'tool' }] }],
    ['PATCH', `traces/${trace_id}`, { output: String(reliable) }],
    ['PATCH', `spans/${span_id}`, { output: String(reliable) }],
    ['POST', 'sessions', { name: 's' }],
  ])('is acknowledged after its commit: %s %s', async (method, path, body) => {
    const reply = { status: 0 };
    let sent: Promise<void> | undefined;
    await whileHeld(async (untilOneWaits) => {
      sent = server
        .request(method, `/v2/projects/${project_id}/${path}`, { ...body, log_stream_id, reliable })
        .then(({ status }) => {
          reply.status = status;
        });
      await untilOneWaits();
      // Whoever is told before the commit would be by now: another request has gone the whole way.
      expect((await server.request('GET', '/v2/healthcheck')).status).toBe(200);
      expect(reply.status).toBe(0);
    });
    await sent;
    expect(reply.status).toBe(200);
  });
});
