import { expect, it } from 'vitest';
import { independentTasks, tasksOfLane } from './lane.ts';
import type { ScoringTask } from './scoring-task.ts';

const task = (name: string, model_type: string, ...required_scorers: string[]): ScoringTask =>
  ({ entry: { model_type }, scorer: { name, required_scorers } }) as unknown as ScoringTask;
const names = (tasks: readonly ScoringTask[]): string[] => tasks.map(({ scorer }) => scorer.name);

const TASKS = [
  task('words', 'code'),
  task('length', 'code', 'words'),
  task('polite', 'llm', 'words'),
  task('both', 'code', 'length', 'polite'),
  task('factual', 'llm'),
];

it('scores by code what needs no judge, and with the judges what waits for one', () => {
  expect(names(tasksOfLane(TASKS, 'code'))).toEqual(['words', 'length']);
  expect(names(tasksOfLane(TASKS, 'model'))).toEqual(['polite', 'both', 'factual']);
});

it('keeps together what requires each other, and nothing else', () => {
  expect(independentTasks(tasksOfLane(TASKS, 'model')).map(names)).toEqual([['polite', 'both'], ['factual']]);
});

it('comes to an end where scorers require each other in a circle', () => {
  const circle = [task('a', 'code', 'b'), task('b', 'code', 'a'), task('c', 'llm', 'd'), task('d', 'code', 'c')];
  expect(names(tasksOfLane(circle, 'code'))).toEqual(['a', 'b']);
  expect(names(tasksOfLane(circle, 'model'))).toEqual(['c', 'd']);
});
