import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otlpArrival } from '../../contracts/otel/otlp-arrival.property.ts';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { newProject, records, send } from '../../http/otel/otlp-client.ts';
import { type PostgresService, startPostgresService } from '../../setup/postgres-service.ts';
import { type Severable, severable } from '../../setup/severable.ts';
import { eventually } from '../../setup/timing.ts';

otlpArrival('PostgreSQL', 25, startPostgresService);

describe('OpenTelemetry on PostgreSQL', () => {
  let server: PostgresService;
  let project: { id: string };
  beforeAll(async () => {
    server = await startPostgresService();
    project = await newProject(server, 'demo');
  });
  afterAll(() => server.close());

  it('takes a trace of 10,000 spans in 50 batches', async () => {
    const TEXT = 'x'.repeat(2_000);
    const spanId = (n: number) => String(n + 1).padStart(16, '0');
    const spans = Array.from({ length: 10_000 }, (_, at) => ({
      spanId: spanId(at),
      ...(at > 0 && { parentSpanId: spanId(Math.floor(at / 10)) }),
      startMs: at,
      endMs: at + 1,
      attributes: { 'openinference.span.kind': at % 2 === 0 ? 'LLM' : 'CHAIN', 'input.value': TEXT, 'llm.token_count.prompt': 1 },
    }));
    for (let at = 0; at < 50; at += 1) {
      const reply = await send(server, toRequest({ spans: spans.slice(200 * at, 200 * at + 200) }), {
        encoding: 'protobuf',
        headers: { 'project-id': project.id, logstream: 'large' },
      });
      expect([reply.status, reply.bytes.length]).toEqual([200, 0]);
    }
    const [trace] = await records(server, project.id, 'traces', 'large');
    expect(trace).toMatchObject({ is_complete: true, input: TEXT, has_children: true });
  });

  it('returns 503 while the database cannot be reached, and stores what is sent again', async () => {
    let line: Severable | undefined;
    const via = async (url: string) => {
      line = await severable(url);
      return line.url;
    };
    const one = await startPostgresService({ via });
    const { id } = await newProject(one, 'p');
    const sent = async () => {
      const reply = await send(one, toRequest({ spans: [{ spanId: '1'.repeat(16) }] }), { headers: { 'project-id': id } });
      return [reply.status, reply.headers.get('retry-after'), JSON.parse(reply.bytes.toString())];
    };
    await line!.sever();
    for (let time = 0; time < 3; time += 1) {
      expect(await sent()).toEqual([503, '1', { code: 14, message: 'the database does not answer' }]);
    }
    await line!.mend();
    await eventually(async () => expect((await sent())[0]).toBe(200));
    expect(await records(one, id, 'spans')).toHaveLength(1);
    await one.close();
    await line!.close();
  });
});
