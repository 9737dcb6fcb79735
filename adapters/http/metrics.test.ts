import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

const OF_THE_PROCESS = ['nodejs_eventloop_lag_p99_seconds', 'nodejs_gc_duration_seconds', 'process_cpu_seconds_total'];
const OF_A_SERVICE = ['touchstone_http_requests_total', 'touchstone_http_request_seconds', 'held'];

const gauge = (value: number) => ({ name: 'held', help: 'What is held.', read: () => value });

describe('metrics of several services in one process', () => {
  const first = new Metrics([gauge(1)]).registry;
  const second = new Metrics([gauge(2)]).registry;

  it.each(OF_THE_PROCESS)('watch the process once, so that a service that has ended is not kept: %s', (name) => {
    expect(first.getSingleMetric(name)).toBeDefined();
    expect(first.getSingleMetric(name)).toBe(second.getSingleMetric(name));
  });

  it.each(OF_A_SERVICE)('are otherwise of each service: %s', (name) => {
    expect(first.getSingleMetric(name)).toBeDefined();
    expect(first.getSingleMetric(name)).not.toBe(second.getSingleMetric(name));
  });

  it('are printed together', async () => {
    const text = await second.metrics();
    for (const name of [...OF_THE_PROCESS, ...OF_A_SERVICE]) expect(text).toContain(`# TYPE ${name} `);
    expect(text).toContain('\nheld 2\n');
  });
});
