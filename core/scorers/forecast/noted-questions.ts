import { type JudgeCall, PluginError, type ScorerKit } from '../../plugin-sdk/index.ts';

/** Questions to one model. */
export interface QuestionSum {
  readonly calls: number;
  /** Of all texts that were to be sent, in UTF-16 units. */
  readonly characters: number;
  /** Of the longest answers that were allowed together, in tokens; infinite where one has no limit. */
  readonly most_output_tokens: number;
}

const NOTHING: QuestionSum = { calls: 0, characters: 0, most_output_tokens: 0 };

/** Models that answer nothing: what a scorer would ask is counted, and nobody is asked. */
export class NotedQuestions {
  readonly #byAlias = new Map<string, QuestionSum>();

  get byAlias(): ReadonlyMap<string, QuestionSum> {
    return this.#byAlias;
  }

  /** The same services, with models that note. */
  noting(kit: ScorerKit): ScorerKit {
    return {
      ...kit,
      model: async (alias) => ({
        ask: async (call) => {
          this.#note(alias, call);
          throw new PluginError('unsupported', 'a forecast asks no model');
        },
      }),
    };
  }

  #note(alias: string, call: JudgeCall): void {
    const { calls, characters, most_output_tokens } = this.#byAlias.get(alias) ?? NOTHING;
    this.#byAlias.set(alias, {
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
