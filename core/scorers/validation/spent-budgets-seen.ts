import { BudgetSpentError } from '../../integrations/provider-failure.ts';
import type { JudgeModel, ScorerKit } from '../../plugin-sdk/index.ts';

/** Notes calls that were not made because a budget was spent: kinds of scorers turn that into outcomes, and it says nothing of the scorer. */
export class SpentBudgetsSeen {
  #refusal: BudgetSpentError | undefined;

  /** The first of them. */
  get refusal(): BudgetSpentError | undefined {
    return this.#refusal;
  }

  /** The same services, with models that are watched. */
  watching(kit: ScorerKit): ScorerKit {
    return { ...kit, model: async (alias, choice) => this.#watched(await kit.model(alias, choice)) };
  }

  #watched(model: JudgeModel): JudgeModel {
    const ask: JudgeModel['ask'] = async (call) =>
      model.ask(call).catch((error: unknown) => {
        if (error instanceof BudgetSpentError) this.#refusal ??= error;
        throw error;
      });
    return { ...model, ask };
  }
}
