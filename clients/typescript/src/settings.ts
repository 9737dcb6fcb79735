export interface ClientOptions {
  /** `http://127.0.0.1:8088` unless given. */
  readonly url?: string;
  readonly apiKey: string;
  /** Name of a project; made where it is missing. */
  readonly project: string;
  /** Name of a log stream of that project; made where it is missing. `default` unless given. */
  readonly logStream?: string;
  /** Spans that wait for being sent; those that come to a full queue are dropped and counted. 20,000 unless given. */
  readonly queueSize?: number;
  /** How long a batch is offered to a service that is away, in milliseconds. Five minutes unless given. */
  readonly giveUpAfterMs?: number;
  /** Told of spans that could not be delivered. Writes to standard error unless given. */
  readonly onLost?: (spans: number, why: unknown) => void;
}

export type Settings = Required<ClientOptions>;

export const toSettings = (options: ClientOptions): Settings => ({
  logStream: 'default',
  queueSize: 20_000,
  giveUpAfterMs: 300_000,
  onLost: (spans, why) => console.error(`touchstone: ${spans} spans could not be delivered: ${String(why)}`),
  ...options,
  url: (options.url ?? 'http://127.0.0.1:8088').replace(/\/+$/, ''),
});
