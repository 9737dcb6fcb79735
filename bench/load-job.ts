import type { Traffic } from './traffic/traffic-template.ts';

/** Task of the load process. */
export interface LoadJob {
  readonly url: string;
  readonly path: string;
  readonly apiKey: string;
  readonly logStreamId: string;
  readonly tracesPerRequest: number;
  readonly connections: number;
  /** It ends at the first of these. */
  readonly forMs: number;
  readonly maxRequests?: number;
  /** The traces began at any moment of so many days up to now; absent: now. */
  readonly overDays?: number;
  /** Share of requests that repeat an earlier one byte by byte. */
  readonly repeats: number;
  /** Absent: the traces that COPY is compared with. */
  readonly traffic?: Traffic;
  /** More headers of each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LoadReport {
  readonly requests: number;
  /** Rows acknowledged, of traffic: spans; those of repeated requests count as well. */
  readonly rows: number;
  readonly ms: number;
  readonly p50: number;
  readonly p99: number;
  /** Requests that were refused for being too many at once. Each was sent again after a while, until it was taken. */
  readonly refused: number;
  /** The first answer that was neither 200 nor 503. */
  readonly failure: string | undefined;
}
