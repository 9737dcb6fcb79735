import type { ScoringTask } from './scoring-task.ts';

/** Code shares few processes and is done in a moment; what asks models, or waits for what does, mostly waits. */
export type Lane = 'code' | 'model';

/** The tasks of a lane, in their order. Code that requires a judge goes with the judges. */
export function tasksOfLane(tasks: readonly ScoringTask[], lane: Lane): ScoringTask[] {
  const byName = new Map(tasks.map((task) => [task.scorer.name, task]));
  const asksModels = new Map<ScoringTask, boolean>();
  const visit = (task: ScoringTask): boolean => {
    const known = asksModels.get(task);
    if (known !== undefined) return known;
    // Scorers that require each other in a circle end here; the rest of the circle decides.
    asksModels.set(task, task.entry.model_type !== 'code');
    const required = (task.scorer.required_scorers ?? []).flatMap((name) => byName.get(name) ?? []);
    const asks = task.entry.model_type !== 'code' || required.map(visit).includes(true);
    asksModels.set(task, asks);
    return asks;
  };
  return tasks.filter((task) => visit(task) === (lane === 'model'));
}

/** Tasks that have nothing to do with each other, each with those that it requires or that require it. */
export function independentTasks(tasks: readonly ScoringTask[]): ScoringTask[][] {
  let groups: ScoringTask[][] = [];
  for (const task of tasks) {
    const isLinked = (group: readonly ScoringTask[]) => group.some((other) => requires(task, other) || requires(other, task));
    groups = [...groups.filter((group) => !isLinked(group)), [...groups.filter(isLinked).flat(), task]];
  }
  return groups;
}

const requires = ({ scorer }: ScoringTask, other: ScoringTask): boolean =>
  scorer.required_scorers?.includes(other.scorer.name) ?? false;
