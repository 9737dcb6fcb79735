import type { Span } from '@opentelemetry/api';
import { type BaselineGate, findWorse } from './baseline-gate.ts';
import { Datasets } from './datasets.ts';
import { type Evaluation, type EvaluationOptions, evaluate } from './evaluate.ts';
import { Places } from './places.ts';
import { Prompts } from './prompts.ts';
import { type RecordIds, toRecordIds } from './record-ids.ts';
import { type Api, dataOf, openApi } from './service.ts';
import { type ClientOptions, toSettings } from './settings.ts';
import { type NewScore, type SpanOptions, Tracing } from './tracing.ts';

export interface NewFeedback {
  /** Id of a trace or a span as the service shows it, and as `recordIds` says. */
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

  /** A decorator of methods: each call is a span, named like the method unless the options say otherwise. */
  tracedMethod(options: Partial<SpanOptions> = {}) {
    const { span } = this;
    const run = span.bind(this);
    return <This, A extends unknown[], T>(
      method: (this: This, ...args: A) => T | Promise<T>,
      { name }: { readonly name: string | symbol },
    ): ((this: This, ...args: A) => Promise<T>) =>
      function (this: This, ...args: A): Promise<T> {
        const input = args.length === 1 ? args[0] : args;
        return run({ name: String(name), input, ...options }, () => method.apply(this, args));
      };
  }

  /** A score that the application computed, as a metric of the current span or the one given. */
  score(score: NewScore): void {
    this.#tracing.score(score);
  }

  /** The ids by which the service knows a span and its trace, for feedback. */
  recordIds(span: Span): Promise<RecordIds> {
    return toRecordIds(span);
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

  /**
   * Compares an evaluation with an experiment before, row by row, and returns one line for each metric that is worse by more than the margin and beyond chance. A metric that
   * cannot be compared counts as worse.
   */
  async compareToBaseline(evaluation: Evaluation, gate: BaselineGate): Promise<string[]> {
    const params = { path: { project_id: await this.#places.project() } };
    const body = { baseline_id: gate.baseline, candidate_id: evaluation.experimentId, limit: 1 };
    const { metrics } = await dataOf(this.api.POST('/v2/projects/{project_id}/experiments/compare', { params, body }));
    return findWorse(metrics, gate);
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
