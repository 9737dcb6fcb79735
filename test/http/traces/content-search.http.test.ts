import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { logStreamId, newProject, send } from '../otel/otlp-client.ts';

let server: TestServer;
let at: string;
let log_stream_id: string | undefined;
beforeAll(async () => {
  server = await startTestServer();
  const project = await newProject(server, randomUUID());
  at = `/v2/projects/${project.id}`;
  const lookup = { spanId: '00f067aa0ba902b8', parentSpanId: '00f067aa0ba902b7', name: 'lookup of 退款政策' };
  const spans = [{ spanId: '00f067aa0ba902b7', name: 'over OTLP' }, lookup];
  const headers = { project: project.name, logstream: 'default' };
  expect((await send(server, toRequest({ spans }), { headers })).status).toBe(200);
  log_stream_id = await logStreamId(server, project.id);
  const call = { type: 'llm', name: 'call', input: [{ role: 'user', content: 'I forgot my passwords again' }] };
  const traces = [{ name: 'by JSON', input: 'hello', spans: [{ type: 'workflow', name: 'flow', spans: [call] }] }];
  expect((await post('traces', { traces })).status).toBe(200);
});
afterAll(() => server.close());

const post = (path: string, body: object) => server.request('POST', `${at}/${path}`, { log_stream_id, ...body });
const by = (column_id: string, value: string) => ({ filters: [{ type: 'text', column_id, operator: 'contains', value }] });
const found = async (level: string, filter: object): Promise<string[]> => {
  const names = (await post(`${level}/search`, filter)).body.records.map(({ name }: { name: string }) => name);
  expect((await post(`${level}/count`, filter)).body).toEqual({ total_count: names.length });
  return names;
};

it('finds traces by what their spans hold, by every route, exports and deletes them by it', async () => {
  expect(await found('traces', by('content', '退款'))).toEqual(['over OTLP']);
  expect(await found('spans', by('content', '退款'))).toEqual(['lookup of 退款政策']);
  expect(await found('traces', by('content', 'passwor'))).toEqual(['by JSON']);
  expect(await found('traces', by('content', 'my passwords'))).toEqual(['by JSON']);
  expect(await found('traces', by('content', 'passwords my'))).toEqual([]);
  expect(await found('traces', by('words', 'PASSWORDS forgot'))).toEqual(['by JSON']);
  expect(await found('traces', by('words', 'hello forgot'))).toEqual([]);
  const lines = await post('export_records', { root_type: 'trace', ...by('content', 'passwor') });
  expect(lines.body).toContain('"name":"by JSON"');
  expect(lines.body).not.toContain('over OTLP');
  expect((await post('traces/delete', by('content', '退款'))).status).toBe(200);
  expect(await found('traces', {})).toEqual(['by JSON']);
});

it('refuses other operators and types, and sessions, which have no such column', async () => {
  const filter = { type: 'text', column_id: 'content', operator: 'contains', value: 'x' };
  for (const wrong of [{ operator: 'eq' }, { type: 'number', operator: 'gt', value: 1 }]) {
    const reply = await post('traces/search', { filters: [{ ...filter, ...wrong }] });
    expect([reply.status, reply.body.error?.code ?? reply.body.code]).toEqual([422, 'filter_invalid']);
  }
  expect((await post('sessions/search', { filters: [filter] })).status).toBe(422);
});
