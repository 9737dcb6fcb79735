import type { JudgeCompletion, ScoreEffort } from '../../core/plugin-sdk/index.ts';

/** Usage of a model for one record: adds up tokens and cost of its calls. */
export class UsageTally {
  readonly #calls: JudgeCompletion[] = [];

  add(call: JudgeCompletion): void {
    this.#calls.push(call);
  }

  /** Counts that no provider reported are absent; a call whose price is not known makes the cost unknown. */
  sum(): Pick<ScoreEffort, 'model' | 'input_tokens' | 'output_tokens' | 'cost' | 'cached'> {
    const calls = this.#calls;
    if (calls.length === 0) return {};
    const input_tokens = total(calls.map(({ usage }) => usage.input_tokens));
    const output_tokens = total(calls.map(({ usage }) => usage.output_tokens));
    return {
      model: calls.at(-1)!.model,
      ...(input_tokens !== undefined && { input_tokens }),
      ...(output_tokens !== undefined && { output_tokens }),
      cost: calls.some(({ price }) => price === null) ? null : calls.reduce((sum, { price }) => sum + price!, 0),
      cached: calls.every(({ cached }) => cached),
    };
  }
}

function total(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length > 0 ? known.reduce((sum, count) => sum + count, 0) : undefined;
}
