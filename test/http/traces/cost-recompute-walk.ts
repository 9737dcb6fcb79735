import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { eventually } from '../../setup/timing.ts';
import type { TestServer } from '../harness.ts';
import { records, send } from '../otel/otlp-client.ts';
import { COST, call, costRequests, TOKENS } from './cost-calls.ts';

/** The walk of costs that are computed again, by HTTP, on a service with any stores. */
export function costRecomputeWalk(adapter: string, start: () => Promise<TestServer>): void {
  describe(`costs of records that are there, on ${adapter},`, () => {
    let server: TestServer;
    let project: string;
    let name: string;
    beforeAll(async () => {
      server = await start();
      name = `costs ${randomUUID()}`;
      project = (await server.request('POST', '/v2/projects', { name })).body.id;
    });
    afterAll(() => server.close());

    const { post, newStream, search, logTrace, setPrices } = costRequests(() => ({ server, project }));

    it('follow prices that were set later, what senders state apart, on calls, traces, sessions and in charts', async () => {
      const model = `late ${randomUUID()}`;
      const stream = await newStream();
      const logged = await logTrace(stream, [call({ model }), call({ model, metrics: { ...TOKENS, cost: 9 } }), call()]);
      const stated = await logTrace(stream, [call({ model })], { metrics: { cost: 7 } });
      const usage = { 'gen_ai.usage.input_tokens': 1000, 'gen_ai.usage.output_tokens': 100 };
      const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model, ...usage };
      const spans = ['c061', 'c062'].map((end) => ({ spanId: `00000000000${end}f`.padStart(16, '0'), name: 'chat', attributes }));
      await send(server, toRequest({ scope: 'lib', spans }), { headers: { project: name, logstream: 'late prices' } });
      const [received] = await records(server, project, 'traces', 'late prices');
      const ofRun = async (log_stream_id: string, more: object = {}) => {
        const { job_id, ...reply } = await post('/recompute-costs', { log_stream_id, ...more });
        if (job_id === null) return reply;
        await eventually(async () => {
          expect((await server.request('GET', `/v2/jobs/${job_id}`)).body.status).toBe('completed');
        });
        return (await server.request('GET', `/v2/jobs/${job_id}`)).body.progress_message;
      };
      const costsOf = async (log_stream_id: string, kind: 'traces' | 'spans') =>
        new Map(
          (await search(kind, log_stream_id)).map(({ id, metrics }: { id: string; metrics: { cost?: number } }) => [
            id,
            metrics.cost,
          ]),
        );

      expect((await costsOf(received.run_id, 'traces')).get(received.id)).toBeUndefined();
      await setPrices([{ model, from: '2020-01-01', input: 3, output: 0 }]);
      expect(await ofRun(stream, { dry_run: true })).toMatchObject({ records: 2, dry_run: true });
      expect((await costsOf(stream, 'traces')).get(logged)).toBeCloseTo(9 + COST, 9);
      expect(await ofRun(stream)).toBe('2 of 2 traces looked at, 2 calls changed');
      expect(await ofRun(received.run_id)).toBe('1 of 1 traces looked at, 2 calls changed');
      expect((await costsOf(stream, 'traces')).get(logged)).toBeCloseTo(9 + COST + 0.003, 9);
      expect((await costsOf(stream, 'traces')).get(stated)).toBe(7);
      expect([...(await costsOf(stream, 'spans')).values()].toSorted()).toEqual([0.003, 0.003, COST, 9]);
      expect((await costsOf(received.run_id, 'traces')).get(received.id)).toBeCloseTo(0.006, 9);
      const [session] = await search('sessions', received.run_id);
      expect(session.metrics.cost).toBeCloseTo(0.006, 9);
      const widgets = `/log_streams/${stream}/trends/widgets`;
      const { id: widget } = await post(widgets, {
        name: 'Cost',
        metric: 'cost',
        aggregation: 'Sum',
        type: 'number',
        section_id: 'any',
      });
      const time = {
        start_time: new Date(Date.now() - 3_600_000).toISOString(),
        end_time: new Date(Date.now() + 60_000).toISOString(),
      };
      await eventually(async () => {
        while ((await server.cradle.recordIndex.advance(1_000)) > 0);
        expect((await post(`${widgets}/${widget}/query`, time)).series[0].value).toBeCloseTo(9 + COST + 0.006, 9);
      });
      // Nothing is left to do, and a price that goes takes the cost along.
      expect(await ofRun(stream)).toBe('2 of 2 traces looked at, 0 calls changed');
      await setPrices([{ model, from: '2020-01-01', input: 6, output: 0 }]);
      expect(await ofRun(received.run_id)).toBe('1 of 1 traces looked at, 2 calls changed');
      expect((await costsOf(received.run_id, 'traces')).get(received.id)).toBeCloseTo(0.012, 9);
      await setPrices([]);
      const onlyLogged = { filters: [{ type: 'id', column_id: 'id', operator: 'eq', value: logged }] };
      expect(await ofRun(stream, onlyLogged)).toBe('1 of 1 traces looked at, 1 calls changed');
      expect((await costsOf(stream, 'traces')).get(logged)).toBeCloseTo(9 + COST, 9);
      await ofRun(received.run_id);
      expect((await costsOf(received.run_id, 'traces')).get(received.id)).toBeUndefined();
    });
  });
}
