/** Whether budgets for calls of models leave anything to begin with. */
export interface BudgetCheck {
  /**
   * For a request that begins work which does nothing without a model: rejects with AppError `budget_spent` when nothing is left of the project's budget
   * or the organisation's. `null`: outside of projects.
   */
  requireLeftToBegin(project_id: string | null): Promise<void>;
}
