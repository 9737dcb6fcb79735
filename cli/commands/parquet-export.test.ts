import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer } from '../../test/http/harness.ts';
import { exportParquet } from './parquet-export.ts';
import { ServiceClient } from './service-client.ts';
import type { Terminal } from './terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-parquet-'));
const terminal: Terminal = { env: {}, out: () => {}, err: () => {}, isWatched: false };
let service: TestServer;
let client: ServiceClient;
let project_id: string;
let log_stream_id: string;
let trace_ids: string[];

async function call(method: string, path: string, body?: object) {
  const reply = await service.request(method, path, body);
  expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body;
}
const log = (run: string, traces: object[]) => call('POST', `/v2/projects/${project_id}/traces`, { log_stream_id: run, traces });

beforeAll(async () => {
  service = await startTestServer();
  client = new ServiceClient({ url: service.url, api_key: ADMIN.api_key });
  project_id = (await call('POST', '/v2/projects', { name: 'exported' })).id;
  log_stream_id = (await call('POST', `/v2/projects/${project_id}/log_streams`, { name: 'logs' })).id;
  const scorers = [];
  for (const [name, type] of [
    ['long', 'trace'],
    ['whole', 'session'],
  ]) {
    const { id } = await call('POST', '/v2/scorers', {
      name,
      scorer_type: 'code',
      scoreable_node_types: [type],
      output_type: 'percentage',
    });
    const form = new FormData();
    form.set('file', new File(['function scorer() { return 0.5; }'], 'scorer.js'));
    const headers = { 'service-api-key': ADMIN.api_key };
    expect((await fetch(`${service.url}/v2/scorers/${id}/version/code`, { method: 'POST', headers, body: form })).status).toBe(
      200,
    );
    scorers.push({ id });
  }
  await call('PATCH', `/v2/projects/${project_id}/log_streams/${log_stream_id}/metric_settings`, { scorers });
  const session_id = (await call('POST', `/v2/projects/${project_id}/sessions`, { log_stream_id, name: 'talk' })).id;
  const span = {
    type: 'llm',
    input: [{ role: 'user', content: "it's “q”" }],
    output: 'r',
    model: 'm',
    metrics: { num_input_tokens: 3 },
  };
  const days = ['2026-11-20T10:00:00Z', '2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'];
  const logged = await call('POST', `/v2/projects/${project_id}/traces`, {
    log_stream_id,
    session_id,
    traces: days.map((created_at, at) => ({
      input: `q ${at}`,
      output: 'a',
      tags: ['t'],
      created_at,
      spans: [{ ...span, created_at }],
    })),
  });
  trace_ids = logged.trace_ids;
  await log(log_stream_id, [{ input: 'alone', output: 'a', created_at: days[0] }]);
  const feedback = { log_stream_id, record_id: trace_ids[0], feedback_type: 'star', name: 'stars', value: 4 };
  await call('POST', `/v2/projects/${project_id}/feedback`, feedback);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function ask(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const files = sql.replaceAll(
      /from (records|scores|ratings)\b/g,
      `from read_parquet('${folder}/project=*/day=*/$1-*.parquet', hive_partitioning = true)`,
    );
    return (await connection.runAndReadAll(files)).getRowObjectsJson() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
const list = () => (readdirSync(folder, { recursive: true }) as string[]).filter((name) => /\.parquet/.test(name)).sort();
const write = (run: object = { log_stream_id }) =>
  exportParquet(client, { project_id, run: run as never }, { folder, redact: false }, terminal);

describe('a run as Parquet', () => {
  it('has each record once, with scores of traces and sessions and the ratings, as DuckDB reads it', async () => {
    await expect
      .poll(async () => {
        await service.cradle.idleSessions.release(-1);
        return (await write()).scores;
      })
      .toBe(6);
    expect(await write()).toMatchObject({ records: 7, scores: 6, ratings: 1 });
    expect(await ask('select day::text as day, type, count(*)::int as n from records group by all order by all')).toEqual([
      { day: '2026-11-20', type: 'llm', n: 1 },
      { day: '2026-11-20', type: 'trace', n: 2 },
      { day: '2026-11-21', type: 'llm', n: 2 },
      { day: '2026-11-21', type: 'trace', n: 2 },
    ]);
    const [span] = await ask(
      "select model, num_input_tokens::int as tokens, input->0->>'content' as said, input_is_json from records where type = 'llm' limit 1",
    );
    expect(span).toEqual({ model: 'm', tokens: 3, said: "it's “q”", input_is_json: true });
    expect(
      await ask(
        'select record_type, metric_name, count(*)::int as n, avg(value_number) as mean from scores group by all order by all',
      ),
    ).toEqual([
      { record_type: 'session', metric_name: 'whole', n: 2, mean: 0.5 },
      { record_type: 'trace', metric_name: 'long', n: 4, mean: 0.5 },
    ]);
    expect(await ask('select record_id, source, name, rating_type, value_number::int as stars from ratings')).toEqual([
      { record_id: trace_ids[0], source: 'feedback', name: 'stars', rating_type: 'star', stars: 4 },
    ]);
    expect(await ask('select id from records group by id having count(*) > 1')).toEqual([]);
  });

  it('replaces what an earlier call left of it, whole or not, and nothing else', async () => {
    await write();
    const [first = ''] = list();
    const other = first.replace(/[^/]*$/, 'records-00000000-0000-0000-0000-000000000000-000001.parquet');
    const left = first.replace(/-\d+\.parquet$/, '-000999.parquet');
    for (const name of [other, left, `${left}.part`]) writeFileSync(join(folder, name), 'whatever');
    await write();
    expect(list()).toContain(other);
    expect(list().filter((name) => name.includes('000999') || name.endsWith('.part'))).toEqual([]);
    rmSync(join(folder, other));
    expect(await ask('select id from records group by id having count(*) > 1')).toEqual([]);
  });

  it('has no file where the run is empty', async () => {
    const { id } = await call('POST', `/v2/projects/${project_id}/log_streams`, { name: 'empty' });
    const before = list();
    expect(await write({ log_stream_id: id })).toMatchObject({ files: 0, records: 0 });
    expect(list()).toEqual(before);
  });
});
