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
    const settle = async (): Promise<void> => {
      while ((await server.cradle.recordIndex.advance(1_000)) > 0);
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
        await settle();
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
          },
          { version: 1, num_calls: 1, num_errors: 1, cost: 0.5 },
        ]);
        // The cost of a call is no score of it.
        expect(versions.map(({ scores }: { scores: object }) => scores)).toEqual([
          { 'feedback/thumb': { mean: 1, count: 1 } },
          {},
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

    it('count scores of whole traces apart from those of the calls, each trace once for a version, and again after retention', async () => {
      const { id, name, ids } = await makePrompt();
      const stream = await call('POST', `${project}/log_streams`, { name: randomUUID() });
      const usage = async () => {
        await settle();
        return (await call('GET', `${project}/templates/${id}/usage?start_time=${ago(365)}`)).versions;
      };
      const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
      const logTrace = async (created_at: string, versions: readonly number[], metrics: object) => {
        const llm = (prompt_version: number) => ({
          ...{ type: 'llm', id: randomUUID(), input: 'a', output: 'b', created_at },
          ...{ prompt_name: name, prompt_version, metrics: { cost: 1, tone: 0.5 } },
        });
        const trace = { id: randomUUID(), input: 'a', output: 'b', created_at, metrics, spans: versions.map(llm) };
        await call('POST', `${project}/traces`, { log_stream_id: stream.id, traces: [trace] });
        return trace.id;
      };
      const both = await logTrace(ago(1), [1, 2, 2], { right: 1 });
      await logTrace(ago(1), [2], { right: 0 });
      await logTrace(ago(100), [2], { right: 0 });
      await call('POST', `${project}/traces`, {
        log_stream_id: stream.id,
        traces: [{ input: 'no prompt', metrics: { right: 0 } }],
      });
      await call('POST', `${project}/feedback`, {
        ...{ log_stream_id: stream.id, record_id: both },
        ...{ name: 'thumb', feedback_type: 'like_dislike', value: true },
      });
      const told = (versions: Record<string, unknown>[]) =>
        versions.map(({ prompt_version_id, num_calls, cost, scores, num_traces, trace_scores }) => [
          ids.indexOf(prompt_version_id as string) + 1,
          ...[num_calls, cost, scores, num_traces, trace_scores],
        ]);
      const thumb = { 'feedback/thumb': { mean: 1, count: 1 } };
      const first = [1, 1, 1, { tone: { mean: 0.5, count: 1 } }, 1, { right: { mean: 1, count: 1 }, ...thumb }];
      await eventually(async () => {
        expect(told(await usage())).toEqual([
          [2, 4, 4, { tone: { mean: 0.5, count: 4 } }, 3, { right: { mean: 1 / 3, count: 3 }, ...thumb }],
          first,
        ]);
      });

      await call('PUT', `${project}/log_streams/${stream.id}/retention`, { days: 30 });
      await server.cradle.retentionService.run();
      await eventually(async () => {
        expect(told(await usage())).toEqual([
          [2, 3, 3, { tone: { mean: 0.5, count: 3 } }, 2, { right: { mean: 0.5, count: 2 }, ...thumb }],
          first,
        ]);
      });
      await call('POST', `${project}/traces/delete`, {
        log_stream_id: stream.id,
        filters: [{ type: 'id', column_id: 'id', operator: 'eq', value: both }],
      });
      await eventually(async () => {
        expect(told(await usage())).toEqual([
          [2, 1, 1, { tone: { mean: 0.5, count: 1 } }, 1, { right: { mean: 0, count: 1 } }],
          [1, 0, null, {}, 0, {}],
        ]);
      });
      expect((await server.request('DELETE', `${project}/log_streams/${stream.id}`)).status).toBe(204);
      expect(told(await usage())).toEqual([
        [2, 0, null, {}, 0, {}],
        [1, 0, null, {}, 0, {}],
      ]);
    });

    it('are grouped in charts by the name and the version of the prompt', async () => {
      const { name, ids } = await makePrompt();
      const stream = await call('POST', `${project}/log_streams`, { name: randomUUID() });
      const start_time = new Date(Date.now() - 3_600_000).toISOString();
      const end_time = new Date(Date.now() + 3_600_000).toISOString();
      const spans = [1, 2, 2].map((prompt_version) => ({
        ...{ type: 'llm', input: 'a', output: 'b', created_at: new Date().toISOString() },
        ...{ prompt_name: name, prompt_version, metrics: { tone: prompt_version } },
      }));
      await call('POST', `${project}/traces`, { log_stream_id: stream.id, traces: [{ input: 'a', spans }] });
      const widgets = `${project}/log_streams/${stream.id}/trends/widgets`;
      const makeWidget = async (group_by: string): Promise<string> => {
        const dataset = [{ filters: [{ filter: { type: 'text', column_id: 'type', operator: 'eq', value: 'llm' } }], group_by }];
        const wanted = { name: 'tone', type: 'bar_chart', metric: 'tone', aggregation: 'Average', section_id: 'mine', dataset };
        return (await call('POST', widgets, wanted)).id;
      };
      const widget_ids = await Promise.all(['prompt_name', 'prompt_version', 'prompt_version_id'].map(makeWidget));
      // Charts follow a moment behind the write.
      await eventually(async () => {
        await settle();
        const answered = (await call('POST', `${widgets}/query`, { start_time, end_time, widget_ids })).widgets;
        const groups = answered.map(({ series }: { series: Record<string, unknown>[] }) =>
          series.map(({ group, value, count }) => [group, value, count]).toSorted(),
        );
        const byVersion = (first: string, second: string) => [
          [first, 1, 1],
          [second, 2, 2],
        ];
        expect(groups).toEqual([[[name, 5 / 3, 3]], byVersion('1', '2'), byVersion(...ids).toSorted()]);
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
