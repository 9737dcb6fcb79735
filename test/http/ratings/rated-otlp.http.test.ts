import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { logStreamId, oneSpan, records, send, toProject } from '../otel/otlp-client.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('ratings of what came by OpenTelemetry', () => {
  it('are columns of its spans and traces', async () => {
    const { id, name } = await toProject(server);
    expect((await send(server, oneSpan, { headers: { project: name, logstream: 'default' } })).status).toBe(200);
    const log_stream_id = await logStreamId(server, id, 'default');
    const [span] = await records(server, id, 'spans', 'default');
    const [trace] = await records(server, id, 'traces', 'default');
    for (const record_id of [span!.id, trace!.id]) {
      const said = { log_stream_id, record_id, name: 'stars', feedback_type: 'star', value: 2 };
      expect((await server.request('POST', `/v2/projects/${id}/feedback`, said)).status).toBe(200);
    }
    const filters = [{ type: 'number', column_id: 'feedback/stars', operator: 'lt', value: 3 }];
    for (const [level, record] of [
      ['spans', span],
      ['traces', trace],
    ] as const) {
      const { body } = await server.request('POST', `/v2/projects/${id}/${level}/search`, { log_stream_id, filters });
      expect(body.records.map((one: { id: string }) => one.id)).toEqual([record!.id]);
    }
  });
});
