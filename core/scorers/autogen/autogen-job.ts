import { asPluginError, wordsFor } from '../../integrations/provider-failure.ts';
import type { JobRecord } from '../../jobs/job.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handler.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { Deferred } from '../../kernel/work-queue.ts';
import { openForJob } from '../../models/job-model.ts';
import type { ModelGateway, OpenModel } from '../../models/model-gateway.ts';
import type { ModelMessage } from '../../plugin-sdk/index.ts';
import type { Definition, ScorerKinds } from '../kinds/scorer-kinds.ts';
import { asJson } from '../validation/plan.ts';
import { fitDefinition } from '../versions/new-version.ts';
import { AutogenRequest, questionFor, type WrittenJudge, writtenIn } from './autogen.ts';

export const AUTOGEN = 'auto_gen';

export interface AutogenDeps {
  readonly modelGateway: Pick<ModelGateway, 'session'>;
  readonly scorerKinds: ScorerKinds;
}

/** The kind of scorers that prompts are written for. */
const JUDGES = 'generated';
const DEADLINE_MS = 120_000;
/** The first answer, and one more after it was said what is wrong with it. */
const MAX_ANSWERS = 2;

/** Has a model of the caller's write the prompts of a judge. */
export class AutogenJob implements JobHandler {
  readonly job_name = AUTOGEN;
  readonly #deps: AutogenDeps;

  constructor(deps: AutogenDeps) {
    this.#deps = deps;
  }

  async run(job: JobRecord, context: JobContext, signal: AbortSignal): Promise<JsonValue> {
    const request = AutogenRequest.parse(job.request_data);
    const messages: ModelMessage[] = [...questionFor(request).messages];
    const model = await failing(signal, () => this.#open(job, request));
    const options = { signal, deadlineMs: DEADLINE_MS };
    let complaint = '';
    for (let answers = 1; answers <= MAX_ANSWERS; answers += 1) {
      const text = await failing(
        signal,
        async () => (await model.ask({ ...questionFor(request), messages }, options)).completion.text,
      );
      const result = this.#read(request, text);
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

  #open(job: JobRecord, { model_name: alias }: AutogenRequest): Promise<OpenModel> {
    const none = { project_id: null, run_id: null, scorer_id: null, scorer_version_id: null };
    const usage = { purpose: 'scorer_autogen', user_id: job.created_by, ...none } as const;
    return openForJob(this.#deps.modelGateway, { usage, alias, job });
  }

  /** What is wrong with it, as a text, where something is. */
  #read(request: AutogenRequest, text: string): object | string {
    const written = writtenIn(text);
    if (!written) return 'the answer has to be a JSON object of the three texts';
    try {
      fitDefinition(this.#deps.scorerKinds, JUDGES, toDefinition(request, written));
    } catch (error) {
      if (error instanceof AppError) return error.issues.map(({ msg }) => msg).join('; ');
      throw error;
    }
    const { model_name, output_type, cot_enabled, scoreable_node_types } = request;
    const settings = { model_name, output_type, cot_enabled, scoreable_node_types };
    return { result_type: 'valid', user_prompt: written.template, chain_poll_template: written, ...settings };
  }
}

/** Ends the job by what the provider failed with, unless it is handed back. */
async function failing<T>(stop: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    stop.throwIfAborted();
    if (cause instanceof Deferred) throw cause;
    throw new AppError('bad_request', 'provider_refused', wordsFor(asPluginError(cause)), { cause });
  }
}

/** What a version of the judge would hold. */
const toDefinition = ({ model_name, output_type, cot_enabled }: AutogenRequest, written: WrittenJudge): Definition => ({
  model_name,
  output_type,
  cot_enabled,
  chain_poll_template: written,
});
