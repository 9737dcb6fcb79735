import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresService, startPostgresService } from '../../setup/postgres-service.ts';

const HOUR = 3_600_000;
const HOURS = 60;
const SHIFT = 35;

let service: PostgresService;
beforeAll(async () => {
  service = await startPostgresService();
});
afterAll(() => service.close());

it('changes are told from the audit log, the roll-up and the records of the database', async () => {
  const at = `/v2/projects/${(await service.request('POST', '/v2/projects', { name: randomUUID() })).body.id}`;
  const run_id = (await service.request('POST', `${at}/log_streams`, { name: 'default' })).body.id;
  const name = `quality ${randomUUID()}`;
  const template = (await service.request('POST', '/v2/templates', { name, template: 'x' })).body;
  await service.request('PUT', `/v2/templates/${template.id}/labels/production`, { version: 1 });
  const first = Math.floor(Date.now() / HOUR) * HOUR - HOURS * HOUR;
  const traces = Array.from({ length: HOURS }, (_, hour) => {
    const created_at = new Date(first + hour * HOUR + 60_000).toISOString();
    const call = { type: 'llm', input: 'x', output: 'y', created_at, model: hour < SHIFT ? 'small-1' : 'small-2' };
    const metrics = { [name]: ((hour * 7) % 5) + (hour < SHIFT ? 20 : 0) };
    return { input: 'x', output: 'y', created_at, metrics, spans: [call] };
  });
  expect((await service.request('POST', `${at}/traces`, { log_stream_id: run_id, traces })).status).toBe(200);
  while ((await service.cradle.recordIndex.advance(200)) > 0);
  const trends = `${at}/log_streams/${run_id}/trends`;
  const widget = { name, type: 'line_chart', metric: name, section_id: 'mine' };
  const { id } = (await service.request('POST', `${trends}/widgets`, widget)).body;
  const time = { start_time: new Date(first).toISOString(), end_time: new Date(Date.now() + HOUR).toISOString() };
  const { status, body } = await service.request('POST', `${trends}/changes/query`, { ...time, widget_ids: [id] });
  expect(status, JSON.stringify(body)).toBe(200);
  const shift = new Date(first + SHIFT * HOUR).toISOString();
  expect(body.change_points).toMatchObject([{ at: shift, before: { buckets: SHIFT }, after: { mean: 2 } }]);
  const near = body.change_points[0].changes.map((place: number) => body.changes[place].text);
  expect(near).toEqual(['Model small-1 is no longer called', 'Model small-2 is called from here on']);
  const prompts = body.changes.filter(({ template_id }: { template_id: string | null }) => template_id === template.id);
  expect(prompts).toMatchObject([{ kind: 'prompt_label', label: 'production', version: 1 }]);
});
