import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { AggregationTemporality, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, type TestServer } from '../../http/harness.ts';
import { newProject } from '../../http/otel/otlp-client.ts';

const EXPORTERS = { json: JsonExporter, protobuf: ProtobufExporter };
const USAGE = 'gen_ai.client.token.usage';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The way of metrics from the exporters of the official SDK to what is drawn, and to the end of their project. */
export function metricExporters<S extends TestServer>(
  name: string,
  start: () => Promise<S>,
  countRows?: (server: S) => Promise<number>,
): void {
  describe(`metrics of the official SDK on ${name}`, () => {
    let server: S;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server.close());

    it.each([
      ['json', AggregationTemporality.CUMULATIVE],
      ['json', AggregationTemporality.DELTA],
      ['protobuf', AggregationTemporality.CUMULATIVE],
      ['protobuf', AggregationTemporality.DELTA],
    ] as const)('are drawn once and go with their project: %s, temporality %s', async (encoding, temporalityPreference) => {
      const { id, name: project } = await newProject(server, `metrics ${encoding} ${temporalityPreference}`);
      const headers = { 'Service-API-Key': ADMIN.api_key, project: encodeURIComponent(project), logstream: 'production' };
      const exporter = new EXPORTERS[encoding]({ url: `${server.url}/v1/metrics`, headers, temporalityPreference });
      // Exported by hand: an interval of its own would only be a race.
      const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: DAY, exportTimeoutMillis: HOUR });
      const provider = new MeterProvider({ readers: [reader] });
      const usage = provider.getMeter('shop').createHistogram(USAGE, { unit: '{token}' });
      const count = (tokens: number, model: string) =>
        usage.record(tokens, { 'gen_ai.request.model': model, 'gen_ai.token.type': 'input' });

      count(100, 'small');
      await provider.forceFlush();
      count(20, 'small');
      count(7, 'large');
      await provider.forceFlush();
      await provider.forceFlush();

      const { body: streams } = await server.request('GET', `/v2/projects/${id}/log_streams`);
      const trends = `/v2/projects/${id}/log_streams/${streams[0].id}/trends`;
      const dataset = [{ group_by: 'model' }];
      const widget = { name: 'Usage', metric: USAGE, type: 'line_chart', aggregation: 'Sum', section_id: 'mine', dataset };
      const { body: made } = await server.request('POST', `${trends}/widgets`, widget);
      const time = {
        start_time: new Date(Date.now() - 12 * HOUR).toISOString(),
        end_time: new Date(Date.now() + 12 * HOUR).toISOString(),
      };
      const { body: drawn } = await server.request('POST', `${trends}/widgets/${made.id}/query`, time);
      const sums = drawn.series.map(({ group, value }: { group: string; value: number }) => [group, value]);
      expect(Object.fromEntries(sums)).toEqual({ small: 120, large: 7 });
      expect((await countRows?.(server)) ?? 1).toBeGreaterThan(0);

      await provider.shutdown();
      expect((await server.request('DELETE', `/v2/projects/${id}`)).status).toBeLessThan(300);
      expect((await server.request('POST', `${trends}/widgets/${made.id}/query`, time)).status).toBe(404);
      expect((await countRows?.(server)) ?? 0).toBe(0);
    });
  });
}
