import { describe, expect, it } from 'vitest';
import { plantedJudge } from '../../../test/fixtures/health/planted-judges.ts';
import type { OutputType, ScoreValue } from '../../plugin-sdk/index.ts';
import { type AuditAsk, type AuditScope, planFirstAsks, planInjections, toInjectionAsks } from './audit-plan.ts';
import { BUILT_IN_CASES } from './built-in-cases.ts';
import { judgeProbes } from './judge-probes.ts';
import { pairVerdicts } from './measure-probes.ts';
import { PROBES } from './probe.ts';

/** Numbers from 0 to below 1 that look random, always the same ones: a linear congruential generator (Numerical Recipes). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const AUDITS = 200;
const LABELS = ['poor', 'fair', 'fine'];
const others = PROBES.filter((probe) => probe !== 'repeatability');

/** How many of many audits find something in a judge that is right most of the time and knows no bias. */
async function countFalseFindings(output_type: OutputType, good: ScoreValue, bad: ScoreValue): Promise<number> {
  const labels = output_type === 'categorical' ? LABELS : undefined;
  const scale = { output_type, labels, range: undefined };
  const scope: AuditScope = { cases: BUILT_IN_CASES, probes: others, scale, place: 'answer', family: undefined };
  let found = 0;
  for (let audit = 0; audit < AUDITS; audit += 1) {
    const random = randomFrom(audit * 7_919 + 1);
    const fair = plantedJudge('nothing', { good, bad, read: () => undefined });
    const verdicts = new Map<string, ScoreValue | null>();
    const ask = ({ key, texts }: AuditAsk) => {
      const verdict = fair({ texts });
      verdicts.set(key, random() < 0.25 ? (verdict === good ? bad : good) : verdict);
    };
    for (const one of planFirstAsks(scope)) ask(one);
    for (const one of planInjections(scope, verdicts).flatMap((planned) => toInjectionAsks(scope, planned))) ask(one);
    const results = await judgeProbes(pairVerdicts(scope, verdicts), false, async () => {});
    if (results.some(({ verdict }) => verdict === 'biased')) found += 1;
  }
  return found;
}

describe('a judge without bias that is wrong in a quarter of all cases', () => {
  // One audit of twenty is to be expected at most; three standard deviations of that are 9 of 200.
  it.each<[OutputType, ScoreValue, ScoreValue]>([
    ['boolean', true, false],
    ['categorical', 'fine', 'poor'],
  ])('is found to be biased in no more than one of twenty audits, by verdicts of type %s', async (output_type, good, bad) => {
    expect(await countFalseFindings(output_type, good, bad)).toBeLessThanOrEqual(19);
  });
});
