import { CircuitOpenError } from '../../integrations/provider-failure.ts';
import { Deferred } from '../../kernel/work-queue.ts';
import type { CallOptions, ModelUsage, Question, QuestionMessage } from '../../models/model-call.ts';
import type { ModelGateway, OpenModel } from '../../models/model-gateway.ts';
import {
  type JudgeCall,
  type JudgeCompletion,
  type JudgeMessage,
  type JudgeModel,
  type ModelChoice,
  PluginError,
} from '../../plugin-sdk/index.ts';
import type { JudgeFiles } from './judge-files.ts';
import { type ModelUse, NO_PROJECT } from './scorer-kits.ts';

export interface JudgeModelsDeps {
  readonly modelGateway: Pick<ModelGateway, 'session'>;
  readonly judgeFiles: Pick<JudgeFiles, 'open'>;
  readonly projectVisibility: { sees(user_id: string, project_id: string): Promise<boolean> };
}

/** When a provider is asked again that did not say which models it has. */
const UNREACHABLE_MS = 15_000;

/** The models that scorers may ask: those of whoever enabled the scorer, as long as they see the project. */
export class JudgeModels {
  readonly #deps: JudgeModelsDeps;

  constructor(deps: JudgeModelsDeps) {
    this.#deps = deps;
  }

  /** For one job: an integration that refuses its credentials is not asked again in it. */
  forJob(): (use: ModelUse, alias: string, choice?: ModelChoice) => Promise<JudgeModel> {
    const session = this.#deps.modelGateway.session();
    return async (use, alias, { provider, is_replaceable = false } = {}) => {
      const usage = toUsage(use, await this.#payer(use));
      const mayWait = !is_replaceable && !use.is_audit;
      const model = await session.open(usage, alias, provider).catch((error: unknown) => {
        throw mayWait && error instanceof PluginError && error.retryable ? later(use, error) : error;
      });
      return {
        ...(model.files && { files: model.files }),
        ask: async (call) => askJudge(model, use, { call, messages: await this.#withFiles(use, call.messages) }, mayWait),
      };
    };
  }

  /** Messages with their files, which nobody has read yet. */
  async #withFiles({ project_id }: ModelUse, messages: readonly JudgeMessage[]): Promise<QuestionMessage[]> {
    const opened: QuestionMessage[] = [];
    for (const { file_ids, ...message } of messages) {
      const files = file_ids && file_ids.length > 0 && (await this.#deps.judgeFiles.open(project_id, file_ids));
      opened.push(files ? { ...message, files } : message);
    }
    return opened;
  }

  async #payer({ user_id, project_id }: ModelUse): Promise<string> {
    if (user_id === null) throw nobodyPays('nobody is known whose integrations the scorer may use');
    // Who has left the project does not pay for it any more.
    if (project_id !== NO_PROJECT && !(await this.#deps.projectVisibility.sees(user_id, project_id)))
      throw nobodyPays('who enabled the scorer does not see the project any more');
    return user_id;
  }
}

interface Asked {
  readonly call: JudgeCall;
  readonly messages: readonly QuestionMessage[];
}

async function askJudge(model: OpenModel, use: ModelUse, { call, messages }: Asked, mayWait: boolean): Promise<JudgeCompletion> {
  const { judge, item: _item, nonce, accept, signal, ...question } = call;
  const { scorer_version_id, daily_budget, fresh } = use;
  const options: CallOptions = {
    signal,
    ...(!fresh && { cache: { scope: `${scorer_version_id} ${judge}`, nonce, accept: (completion) => accept(completion) } }),
    ...(daily_budget !== null && { budget: { perDay: daily_budget } }),
  };
  try {
    const { completion, cost, cached } = await model.ask({ ...question, messages } satisfies Question, options);
    return { ...completion, price: cost, cached };
  } catch (error) {
    throw mayWait && error instanceof CircuitOpenError ? later(use, error) : error;
  }
}

/** Audits, and trials on samples, belong to no project; whoever starts them finds them among the calls of their own. */
function toUsage({ project_id, run_id, scorer_id, scorer_version_id, is_audit }: ModelUse, user_id: string): ModelUsage {
  const none = { project_id: null, run_id: null, scorer_id: null, scorer_version_id: null };
  if (is_audit) return { purpose: 'judge_audit', user_id, ...none };
  if (project_id !== NO_PROJECT) return { purpose: 'judge', user_id, project_id, run_id, scorer_id, scorer_version_id };
  return { purpose: 'scorer_trial', user_id, ...none };
}

/** Hands the job back; a trial on samples, for which somebody waits, fails. */
function later({ project_id }: ModelUse, error: PluginError): Error {
  if (project_id === NO_PROJECT) return error;
  const delayMs = error instanceof CircuitOpenError ? error.retryAfterMs : UNREACHABLE_MS;
  return new Deferred(undefined, delayMs, error.message);
}

const nobodyPays = (why: string): PluginError => new PluginError('unsupported', `${why}: enable it anew`);
