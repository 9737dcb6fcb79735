import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresService, startPostgresService } from '../../setup/postgres-service.ts';

const HOUR = 3_600_000;

let service: PostgresService;
let at: string;
let run_id: string;
beforeAll(async () => {
  service = await startPostgresService();
  at = `/v2/projects/${(await service.request('POST', '/v2/projects', { name: randomUUID() })).body.id}`;
  run_id = (await service.request('POST', `${at}/log_streams`, { name: 'default' })).body.id;
});
afterAll(() => service.close());

it('drift is told from the roll-up of the database, and of models from its records', async () => {
  const name = `quality ${randomUUID()}`;
  const scorer_id = (await service.request('POST', '/v2/scorers', { name, scorer_type: 'code' })).body.id;
  const log = async (hoursAgo: number, value: (at: number) => number, model: string | undefined) => {
    const created_at = new Date(Date.now() - hoursAgo * HOUR).toISOString();
    const traces = Array.from({ length: 60 }, (_, index) => {
      const call = { type: 'llm', input: 'x', output: 'y', created_at, model, metrics: { num_input_tokens: 100 } };
      return { input: 'x', output: 'y', created_at, metrics: { [name]: value(index) }, spans: [call] };
    });
    const { status, body } = await service.request('POST', `${at}/traces`, { log_stream_id: run_id, traces });
    expect(status, JSON.stringify(body)).toBe(200);
  };
  await log(72, (index) => index % 2, 'small-1');
  await log(48, (index) => index % 2, undefined);
  await log(2, () => 1, 'large-1');
  while ((await service.cradle.recordIndex.advance(200)) > 0);
  const { body } = await service.request('GET', `${at}/runs/${run_id}/scorers/${scorer_id}/drift`);
  expect(body.measures).toMatchObject([
    { of: 'score', change: 'significant', reference_count: 120, current_count: 60 },
    { of: 'input_tokens', change: 'none', stability_index: 0, reference_count: 120, current_count: 60 },
    { of: 'model', change: 'significant', reference_count: 120, current_count: 60 },
  ]);
  const [score, , model] = body.measures;
  expect(score.bins).toEqual([
    { lower: 0, upper: 0, value: null, reference_count: 60, current_count: 0 },
    { lower: 0, upper: 1, value: null, reference_count: 60, current_count: 60 },
  ]);
  const shares = model.bins.map((bin: Record<string, unknown>) => [bin.value, bin.reference_count, bin.current_count]);
  expect(new Set(shares.map(String))).toEqual(new Set(['small-1,60,0', ',60,0', 'large-1,0,60']));
});
