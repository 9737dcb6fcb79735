import { asPluginError, toRefusal } from '../../integrations/provider-failure.ts';
import type { JobRecord } from '../../jobs/job.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handler.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { Deferred } from '../../kernel/work-queue.ts';
import { openForJob } from '../../models/job-model.ts';
import type { ModelGateway, OpenModel } from '../../models/model-gateway.ts';
import type { TextMessage } from '../../plugin-sdk/index.ts';
import { type AutogenKind, isAutogenKind, type ScorerKinds } from '../kinds/scorer-kinds.ts';
import { asJson } from '../validation/plan.ts';
import { fitDefinition } from '../versions/new-version.ts';
import { AutogenTask } from './autogen.ts';

export const AUTOGEN = 'auto_gen';

export interface AutogenDeps {
  readonly modelGateway: Pick<ModelGateway, 'session'>;
  readonly scorerKinds: ScorerKinds;
}

const DEADLINE_MS = 120_000;
/** The first answer, and one more after it was said what is wrong with it. */
const MAX_ANSWERS = 2;

/** Has a model of the caller's write a definition, in the way that the kind of the scorer declares. */
export class AutogenJob implements JobHandler {
  readonly job_name = AUTOGEN;
  readonly #deps: AutogenDeps;

  constructor(deps: AutogenDeps) {
    this.#deps = deps;
  }

  async run(job: JobRecord, context: JobContext, signal: AbortSignal): Promise<JsonValue> {
    const request = AutogenTask.parse(job.request_data);
    const plugin = this.#find(request);
    const question = plugin.autogen.question(request);
    const messages: TextMessage[] = [...question.messages];
    const model = await failing(signal, () => this.#open(job, request));
    const options = { signal, deadlineMs: DEADLINE_MS };
    let complaint = '';
    for (let answers = 1; answers <= MAX_ANSWERS; answers += 1) {
      const text = await failing(signal, async () => (await model.ask({ ...question, messages }, options)).completion.text);
      const result = this.#read(plugin, request, text);
      if (typeof result !== 'string') return asJson({ result });
      complaint = result;
      await context.report({ steps_completed: answers, steps_total: MAX_ANSWERS, message: complaint });
      messages.push(
        { role: 'assistant', content: text },
        { role: 'user', content: `That cannot be used: ${complaint}. Answer again.` },
      );
    }
    throw new AppError('bad_request', 'provider_refused', `the model wrote nothing that can be used: ${complaint}`);
  }

  /** Tasks of an earlier release do not say which kind they are for: there was one. */
  #find({ kind }: AutogenTask): AutogenKind {
    const kinds = this.#deps.scorerKinds.list().filter(isAutogenKind);
    const plugin = kinds.find(({ id }) => id === (kind ?? kinds[0]?.id));
    if (plugin) return plugin;
    throw new AppError('bad_request', 'scorer_kind_unknown', `no plugin that writes scorers of kind "${kind}" is installed`);
  }

  #open(job: JobRecord, { model_name: alias }: AutogenTask): Promise<OpenModel> {
    const none = { project_id: null, run_id: null, scorer_id: null, scorer_version_id: null };
    const usage = { purpose: 'scorer_autogen', user_id: job.created_by, ...none } as const;
    return openForJob(this.#deps.modelGateway, { usage, alias, job });
  }

  /** Reads the written scorer; returns its problem as a text where it has one. */
  #read(plugin: AutogenKind, request: AutogenTask, text: string): object | string {
    const written = plugin.autogen.read(text, request);
    if (typeof written === 'string') return written;
    try {
      fitDefinition(this.#deps.scorerKinds, plugin.id, written.definition);
    } catch (error) {
      if (error instanceof AppError) return error.issues.map(({ msg }) => msg).join('; ');
      throw error;
    }
    const { model_name, output_type, cot_enabled, scoreable_node_types } = request;
    const settings = { model_name, output_type, cot_enabled, scoreable_node_types };
    return { result_type: 'valid', ...written.shown, ...settings };
  }
}

/** Ends the job by what the provider failed with, unless it is handed back. */
async function failing<T>(stop: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    stop.throwIfAborted();
    if (cause instanceof Deferred) throw cause;
    throw toRefusal(asPluginError(cause));
  }
}
