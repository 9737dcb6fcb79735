import { describe, expect, it } from 'vitest';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { scorerKindChecks } from '../plugin-kit/scorer-kind/scorer-kind-checks.ts';
import { declarationFaults, declaringKind } from './plugin-kit/kind-declaration-faults.ts';
import { kindFaults, wholeKinds } from './plugin-kit/kind-faults.ts';

const faults = [...kindFaults, ...declarationFaults];

describe('the kit of scorer kinds', () => {
  it.each([...wholeKinds, declaringKind])('finds nothing wrong with the whole kind $plugin.id', async (given) => {
    const results = await runChecks(scorerKindChecks(given));
    expect(results.filter(({ failure }) => failure !== undefined)).toEqual([]);
  });

  it('is tried with at least 80 mistakes, each named once', () => {
    expect(faults.length).toBeGreaterThanOrEqual(80);
    expect(new Set(faults.map(({ what }) => what)).size).toBe(faults.length);
  });

  it.each(faults)('finds, by "$found", a kind that $what', async ({ found, make }) => {
    const list = scorerKindChecks(make());
    const checks = list.checks.filter(({ name }) => name === found);
    expect(checks).toHaveLength(1);
    const [result] = await runChecks({ ...list, checks });
    expect(result?.failure).toEqual(expect.any(String));
  });
});
