import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { eventually } from '../../setup/timing.ts';
import type { TestServer } from '../harness.ts';
import { send } from '../otel/otlp-client.ts';

/** The walk of calls that name a prompt, by HTTP, on a service with any stores. */
export function promptUsageOf(adapter: string, start: () => Promise<TestServer>): void {
  describe(`calls that name a prompt, ${adapter}`, () => {
    let server: TestServer;
    let project: string;
    let project_name: string;
    let log_stream_id: string;
    beforeAll(async () => {
      server = await start();
      project_name = `prompts ${randomUUID()}`;
      project = `/v2/projects/${(await call('POST', '/v2/projects', { name: project_name })).id}`;
      log_stream_id = (await call('POST', `${project}/log_streams`, { name: 'default' })).id;
    });
    afterAll(() => server.close());

    // biome-ignore lint/suspicious/noExplicitAny: replies have every shape
    const call = async (method: string, path: string, body?: unknown): Promise<any> => {
      const reply = await server.request(method, path, body);
      expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBe(200);
      return reply.body;
    };
    /** A template of two versions, the first of which is in production. */
    const makePrompt = async () => {
      const name = `prompt ${randomUUID()}`;
      const { id, selected_version_id } = await call('POST', '/v2/templates', { name, template: 'hello {{a}}' });
      const second = await call('POST', `/v2/templates/${id}/versions`, { template: 'bye {{a}}' });
      await call('PUT', `/v2/templates/${id}/labels/production`, { version: 1 });
      return { id, name, ids: [selected_version_id, second.id] as const };
    };
    const logCall = async (facts: object) => {
      const [trace_id, span_id] = [randomUUID(), randomUUID()];
      const spans = [{ type: 'llm', id: span_id, input: 'a', output: 'b', ...facts }];
      await call('POST', `${project}/traces`, { log_stream_id, traces: [{ id: trace_id, input: 'a', spans }] });
      return { trace_id, span_id };
    };
    const getSpan = (id: string) => call('GET', `${project}/spans/${id}`);
    const linkOf = ({ prompt_name, prompt_version, prompt_version_id }: Record<string, unknown>) => [
      prompt_name,
      prompt_version,
      prompt_version_id,
    ];

    it('are linked to its version, found, counted, charted, exported, and add up to the figures of the version', async () => {
      const { id, name, ids } = await makePrompt();
      const usage = async (path: string) => {
        while ((await server.cradle.recordIndex.advance(1_000)) > 0);
        return call('GET', `${project}/templates/${id}${path}`);
      };
      expect((await server.request('GET', `${project}/templates/${id}/usage`)).status).toBe(404);

      const metrics = { num_input_tokens: 10, num_output_tokens: 5, duration_ns: 4_000, cost: 0.5 };
      const byNumber = await logCall({ prompt_name: name, prompt_version: 2, metrics });
      const byLabel = await logCall({ prompt_name: name, prompt_version: 'production', metrics, status_code: 500 });
      const byId = await logCall({ prompt_version_id: ids[1].toUpperCase(), metrics: { ...metrics, duration_ns: 8_000 } });
      const unknown = await logCall({ prompt_name: name, prompt_version: 7, metrics });
      expect(linkOf(await getSpan(byNumber.span_id))).toEqual([name, '2', ids[1]]);
      expect(linkOf(await getSpan(byLabel.span_id))).toEqual([name, '1', ids[0]]);
      expect(linkOf(await getSpan(byId.span_id))).toEqual([name, '2', ids[1]]);
      expect(linkOf(await getSpan(unknown.span_id))).toEqual([name, '7', null]);

      const filter_tree = { filter: { type: 'text', column_id: 'prompt_version_id', operator: 'eq', value: ids[1] } };
      const search = async (level: string) =>
        (await call('POST', `${project}/${level}/search`, { log_stream_id, filter_tree })).records.map(
          (one: { id: string }) => one.id,
        );
      expect((await search('spans')).toSorted()).toEqual([byId.span_id, byNumber.span_id].toSorted());
      expect((await search('traces')).toSorted()).toEqual([byId.trace_id, byNumber.trace_id].toSorted());
      for (const level of ['spans', 'traces']) {
        const { facets } = await call('POST', `${project}/${level}/facets`, { log_stream_id, column_ids: ['prompt_version'] });
        expect(facets[0].values).toMatchObject([
          { value: '2', count: 2 },
          { value: '1', count: 1 },
          { value: '7', count: 1 },
        ]);
      }
      const { columns } = await call('POST', `${project}/spans/available_columns`, { log_stream_id });
      expect(columns.map((column: { id: string }) => column.id)).toEqual(
        expect.arrayContaining(['prompt_name', 'prompt_version', 'prompt_version_id']),
      );
      const lines = await call('POST', `${project}/export_records`, { log_stream_id, root_type: 'span' });
      expect(lines).toContain(`"prompt_version_id":"${ids[1]}"`);

      await call('POST', `${project}/feedback`, {
        ...{ log_stream_id, record_id: byId.span_id },
        ...{ name: 'thumb', feedback_type: 'like_dislike', value: true },
      });
      await eventually(async () => {
        const { versions } = await usage('/usage');
        expect(versions).toMatchObject([
          {
            version: 2,
            prompt_version_id: ids[1],
            num_calls: 2,
            num_errors: 0,
            cost: 1,
            num_input_tokens: 20,
            num_output_tokens: 10,
            mean_duration_ns: 6_000,
            scores: { 'feedback/thumb': { mean: 1, count: 1 } },
          },
          { version: 1, num_calls: 1, num_errors: 1, cost: 0.5, scores: {} },
        ]);
      });
      const one = await usage('/versions/2/usage?interval=hour');
      expect(one).toMatchObject({ version: 2, num_calls: 2, cost: 1, interval: 'hour' });
      const calls = one.buckets.map(({ num_calls }: { num_calls: number }) => num_calls);
      expect(calls.reduce((sum: number, count: number) => sum + count, 0)).toBe(2);
      expect(await usage('/versions/1/usage?start_time=2020-01-01T00:00:00Z&end_time=2020-01-02T00:00:00Z')).toMatchObject({
        start_time: '2020-01-01T00:00:00.000Z',
        num_calls: 0,
        cost: null,
        mean_duration_ns: null,
        buckets: [],
      });

      const gone = { type: 'id', column_id: 'id', operator: 'eq', value: byId.trace_id };
      await call('POST', `${project}/traces/delete`, { log_stream_id, filters: [gone] });
      await eventually(async () => {
        expect((await usage('/versions/2/usage')).num_calls).toBe(1);
      });
    });

    it.each([
      ['the conventions', { 'gen_ai.operation.name': 'chat' }, 'gen_ai.prompt.name', 'gen_ai.prompt.version'],
      [
        'Langfuse',
        { 'langfuse.observation.type': 'generation' },
        'langfuse.observation.prompt.name',
        'langfuse.observation.prompt.version',
      ],
      ['OpenLLMetry', { 'llm.request.type': 'chat' }, 'traceloop.prompt.key', 'traceloop.prompt.version'],
    ])('are linked when they come by OpenTelemetry, in the words of %s', async (_, attributes, nameKey, versionKey) => {
      const { name, ids } = await makePrompt();
      const spans = [
        {
          ...{ traceId: randomUUID().replaceAll('-', ''), spanId: randomUUID().replaceAll('-', '').slice(0, 16), name: 'chat' },
          attributes: { ...attributes, [nameKey]: name, [versionKey]: 2 },
        },
      ];
      const headers = { project: project_name, logstream: 'default' };
      expect((await send(server, toRequest({ spans }), { headers })).status).toBe(200);
      await eventually(async () => {
        const filter_tree = { filter: { type: 'text', column_id: 'prompt_version_id', operator: 'eq', value: ids[1] } };
        const { records } = await call('POST', `${project}/spans/search`, { log_stream_id, filter_tree });
        expect(records.map(linkOf)).toEqual([[name, '2', ids[1]]]);
        expect(records[0].user_metadata[nameKey]).toBe(name);
      });
    });

    it.each([
      ['end_time=2020-01-01T00:00:00Z&start_time=2021-01-01T00:00:00Z', 'time_range_empty'],
      ['start_time=2020-01-01T00:00:00Z&end_time=2026-01-01T00:00:00Z&interval=hour', 'too_many_buckets'],
    ])('are asked for within bounds: %s', async (query, code) => {
      const { id, name } = await makePrompt();
      await logCall({ prompt_name: name, prompt_version: 1 });
      const reply = await server.request('GET', `${project}/templates/${id}/versions/1/usage?${query}`);
      expect([reply.status, reply.body.code]).toEqual([422, code]);
    });
  });
}
