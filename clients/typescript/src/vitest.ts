import type { BaselineGate } from './baseline-gate.ts';
import type { Touchstone } from './client.ts';
import type { Evaluation } from './evaluate.ts';

/** Least mean of each scorer, and how many rows may fail. */
export interface Gate {
  readonly means?: Readonly<Record<string, number>>;
  /** None unless given. */
  readonly failed?: number;
}

/** For tests: throws, and so fails the build, with what is too low and where to look. */
export function expectToPass({ means, failed, url }: Evaluation, gate: Gate): void {
  const low = Object.entries(gate.means ?? {}).flatMap(([name, least]) => {
    const mean = means[name];
    if (mean === undefined) return [`${name} was not measured`];
    return mean < least ? [`${name} is ${mean}, less than ${least}`] : [];
  });
  const reasons = failed > (gate.failed ?? 0) ? [...low, `${failed} rows failed`] : low;
  if (reasons.length > 0) throw new Error(`the evaluation does not pass: ${reasons.join('; ')}\n${url}`);
}

/** For tests: rejects, and so fails the build, where a metric is worse than in an experiment before, beyond chance. */
export async function expectNotWorse(touchstone: Touchstone, evaluation: Evaluation, gate: BaselineGate): Promise<void> {
  const reasons = await touchstone.compareToBaseline(evaluation, gate);
  if (reasons.length > 0) throw new Error(`the gate refuses: ${reasons.join('; ')}\n${evaluation.url}`);
}
