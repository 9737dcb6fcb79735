import { type JudgeCall, PluginError, type ScorerKit } from '../../plugin-sdk/index.ts';

/** Questions to one model. */
export interface QuestionSum {
  readonly alias: string;
  /** The provider that has to offer it; absent for any. */
  readonly provider: string | undefined;
  readonly calls: number;
  /** Of all texts that were to be sent, in UTF-16 units. */
  readonly characters: number;
  /** Of the longest answers that were allowed together, in tokens; infinite where one has no limit. */
  readonly most_output_tokens: number;
}

const NOTHING = { calls: 0, characters: 0, most_output_tokens: 0 };

/** Models that answer nothing: what a scorer would ask is counted, and nobody is asked. */
export class NotedQuestions {
  readonly #byModel = new Map<string, QuestionSum>();

  get byModel(): ReadonlyMap<string, QuestionSum> {
    return this.#byModel;
  }

  /** The same services, with models that note. */
  noting(kit: ScorerKit): ScorerKit {
    return {
      ...kit,
      model: async (alias, { provider } = {}) => ({
        ask: async (call) => {
          this.#note(alias, provider, call);
          throw new PluginError('unsupported', 'a forecast asks no model');
        },
      }),
    };
  }

  #note(alias: string, provider: string | undefined, call: JudgeCall): void {
    const key = JSON.stringify([alias, provider]);
    const { calls, characters, most_output_tokens } = this.#byModel.get(key) ?? NOTHING;
    this.#byModel.set(key, {
      alias,
      provider,
      calls: calls + 1,
      characters: characters + countCharacters(call),
      most_output_tokens: most_output_tokens + (call.max_tokens ?? Number.POSITIVE_INFINITY),
    });
  }
}

const countCharacters = ({ system, messages, schema }: JudgeCall): number =>
  messages.reduce(
    (sum, { content }) => sum + content.length,
    (system?.length ?? 0) + (schema ? JSON.stringify(schema).length : 0),
  );
