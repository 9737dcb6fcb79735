import { describe, expect, it } from 'vitest';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { scorerKindChecks } from '../plugin-kit/scorer-kind-checks.ts';
import { kindFaults, wholeKinds } from './plugin-kit/kind-faults.ts';

describe('the kit of scorer kinds', () => {
  it.each(wholeKinds)('finds nothing wrong with the whole kind $plugin.id', async (given) => {
    const results = await runChecks(scorerKindChecks(given));
    expect(results.filter(({ failure }) => failure !== undefined)).toEqual([]);
  });

  it('is tried with at least 40 mistakes, each named once', () => {
    expect(kindFaults.length).toBeGreaterThanOrEqual(40);
    expect(new Set(kindFaults.map(({ what }) => what)).size).toBe(kindFaults.length);
  });

  it.each(kindFaults)('finds, by "$found", a kind that $what', async ({ found, make }) => {
    const list = scorerKindChecks(make());
    const checks = list.checks.filter(({ name }) => name === found);
    expect(checks).toHaveLength(1);
    const [result] = await runChecks({ ...list, checks });
    expect(result?.failure).toEqual(expect.any(String));
  });
});
