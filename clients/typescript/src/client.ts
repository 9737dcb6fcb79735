import type { Span } from '@opentelemetry/api';
import { Datasets } from './datasets.ts';
import { type Evaluation, type EvaluationOptions, evaluate } from './evaluate.ts';
import { Places } from './places.ts';
import { Prompts } from './prompts.ts';
import { type Api, dataOf, openApi } from './service.ts';
import { type ClientOptions, toSettings } from './settings.ts';
import { type SpanOptions, Tracing } from './tracing.ts';

export interface NewFeedback {
  /** Id of a trace or a span as the service shows it. */
  readonly recordId: string;
  readonly name?: string;
  readonly type: 'like_dislike' | 'star' | 'score' | 'tags' | 'text';
  readonly value: boolean | number | string | string[];
  readonly explanation?: string;
}

/** A client of one project and one log stream. */
export class Touchstone {
  /** Every operation of the interface, with its types. */
  readonly api: Api;
  readonly datasets: Datasets;
  readonly prompts: Prompts;
  readonly url: string;
  readonly #tracing: Tracing;
  readonly #places: Places;

  constructor(options: ClientOptions) {
    const settings = toSettings(options);
    this.url = settings.url;
    this.api = openApi(settings.url, settings.apiKey);
    this.#tracing = new Tracing(settings);
    this.#places = new Places(this.api, settings.project, settings.logStream);
    this.datasets = new Datasets(this.api);
    this.prompts = new Prompts(this.api, this.#places);
  }

  /** Runs a function inside a span; at the top it is a trace. */
  span<T>(options: SpanOptions | string, work: (span: Span) => T | Promise<T>): Promise<T> {
    return this.#tracing.span(typeof options === 'string' ? { name: options } : options, work);
  }

  /** A function that makes a span of each call, with its first argument as the input. */
  traced<A extends unknown[], T>(
    options: SpanOptions | string,
    work: (...args: A) => T | Promise<T>,
  ): (...args: A) => Promise<T> {
    const given = typeof options === 'string' ? { name: options } : options;
    return (...args) => this.span({ input: args.length === 1 ? args[0] : args, ...given }, () => work(...args));
  }

  async feedback({ recordId, type, value, name = 'feedback', explanation }: NewFeedback): Promise<void> {
    const { project_id, log_stream_id } = await this.#places.logStream();
    const body = {
      log_stream_id,
      record_id: recordId,
      feedback_type: type,
      name,
      value,
      ...(explanation !== undefined && { explanation }),
    };
    await dataOf(this.api.POST('/v2/projects/{project_id}/feedback', { params: { path: { project_id } }, body }));
  }

  /** Runs a task on every row of a dataset, several at once, has scorers judge each, and keeps it all as an experiment. */
  async evaluate<Row, Output>(options: EvaluationOptions<Row, Output>): Promise<Evaluation> {
    return evaluate(options, { api: this.api, url: this.url, project_id: await this.#places.project(), datasets: this.datasets });
  }

  /** Resolves when all spans that have ended are with the service, or were given up. */
  flush(): Promise<void> {
    return this.#tracing.flush();
  }

  /** Flushes, and ends the background work. */
  shutdown(): Promise<void> {
    return this.#tracing.shutdown();
  }
}

/** Opens a client. The key and the URL come from SERVICE_API_KEY and SERVICE_URL where they are not given. */
export function init(options: Omit<ClientOptions, 'apiKey'> & { readonly apiKey?: string }): Touchstone {
  const env: Record<string, string | undefined> = typeof process === 'undefined' ? {} : process.env;
  const apiKey = options.apiKey ?? env.SERVICE_API_KEY;
  if (!apiKey) throw new Error('touchstone: apiKey is missing, and SERVICE_API_KEY is not set');
  const url = options.url ?? env.SERVICE_URL;
  return new Touchstone({ ...options, apiKey, ...(url !== undefined && { url }) });
}
