/** What the load process is asked to send. */
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
}

export interface LoadReport {
  readonly requests: number;
  /** Rows acknowledged; those of repeated requests count as well. */
  readonly rows: number;
  readonly ms: number;
  readonly p50: number;
  readonly p99: number;
  /** The first answer that was not 200. */
  readonly failure: string | undefined;
}
