import type { RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A figure of the process that is read when Prometheus asks. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  read(): number | Promise<number>;
}

/** Self-observation: request counts and times, and whatever gauges the container hands in. */
export class Metrics {
  readonly registry: Registry;
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #seconds: Histogram<'method' | 'route'>;

  constructor(gauges: readonly GaugeSource[]) {
    const own = new Registry();
    const registers = [own];
    this.#requests = new Counter({
      name: 'touchstone_http_requests_total',
      help: 'Requests answered, by status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'touchstone_http_request_seconds',
      help: 'Time from the request line to the last byte of the reply.',
      labelNames: ['method', 'route'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    for (const { name, help, read } of gauges) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read());
        },
      });
    }
    this.registry = Registry.merge([getProcessRegistry(), own]);
  }

  /** Counts every reply under the route's pattern, never under the path itself, which holds ids. */
  observe(): RequestHandler {
    return (req, res, next) => {
      const started = process.hrtime.bigint();
      res.once('close', () => {
        const pattern = (req.route as { path?: string | string[] } | undefined)?.path;
        const route = (Array.isArray(pattern) ? pattern[0] : pattern) ?? 'unmatched';
        this.#requests.inc({ method: req.method, route, status: String(res.statusCode) });
        this.#seconds.observe({ method: req.method, route }, Number(process.hrtime.bigint() - started) / 1e9);
      });
      next();
    };
  }
}

let processRegistry: Registry | undefined;

/**
 * Figures of the process itself, however many services run in it. Nothing ends what watches the event loop and the garbage
 * collector for them: one of each for every service would keep all that have ended, and run for each.
 */
function getProcessRegistry(): Registry {
  if (processRegistry) return processRegistry;
  processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  return processRegistry;
}
