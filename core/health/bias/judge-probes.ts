import { adjustByHolm } from '../../kernel/statistics/holm.ts';
import { toShare } from '../calibration/wilson.ts';
import type { ProbePair, ProbePairs } from './measure-probes.ts';
import type { Probe, ProbeResult } from './probe.ts';
import { computeUpperTail } from './statistics/binomial-tail.ts';
import { computeMean, measureEffect } from './statistics/paired-effect.ts';
import { type Alternative, testSignedRanks } from './statistics/signed-rank.ts';

/** A probability of being wrong at most so large is accepted, over all probes of an audit together. */
export const ALPHA = 0.05;
/** With fewer pairs not even a change in each could be told from chance after the correction: 2^(1 − 9) × 7 < 0.05. */
export const MIN_PAIRS = 9;
/** Share of texts whose verdicts may differ before a judge is called unsteady. */
export const TOLERATED_UNSTEADY = 0.1;
const LEVEL = 0.95;
const CHANGED_SHOWN = 20;

interface Tested {
  readonly p_value: number;
  readonly rank_biserial: number | null;
  /** Pairs that the effect is that of. */
  readonly pairs: readonly ProbePair[];
}

/**
 * The findings of an audit. A probe is `biased` when its p-value, adjusted by Holm over all probes with at least `MIN_PAIRS` pairs, is below
 * `ALPHA`; else a bias is `not_shown`, which its interval says how much of. `shows_cases`: whether verdicts may be repeated.
 */
export async function judgeProbes(
  all: readonly ProbePairs[],
  shows_cases: boolean,
  pause: () => Promise<void>,
): Promise<ProbeResult[]> {
  const tested = all.map((probe) => (countComparable(probe) < MIN_PAIRS ? undefined : test(probe)));
  const adjusted = adjustByHolm(tested.flatMap((one) => (one ? [one.p_value] : [])));
  const results: ProbeResult[] = [];
  for (const [at, probe] of all.entries()) {
    const one = tested[at];
    const adjusted_p_value = one ? adjusted.shift()! : null;
    const pairs = one?.pairs ?? probe.pairs;
    results.push({
      probe: probe.probe,
      verdict: adjusted_p_value === null ? 'not_enough_data' : adjusted_p_value < ALPHA ? 'biased' : 'not_shown',
      measure: probe.measure,
      ...(await effectOf(probe.probe, pairs, pause)),
      rank_biserial: one?.rank_biserial ?? null,
      pairs: pairs.length,
      unusable_pairs: probe.unusable,
      p_value: one?.p_value ?? null,
      adjusted_p_value,
      groups: toGroups(probe.pairs),
      changed: shows_cases ? toChanged(probe.pairs) : [],
    });
  }
  return results;
}

/** Pairs of the smallest group that is tested by itself. */
const countComparable = ({ probe, pairs }: ProbePairs): number =>
  probe === 'self_preference' ? Math.max(0, ...byGroup(pairs).map((own) => own.length)) : pairs.length;

function test(probe: ProbePairs): Tested {
  const { pairs } = probe;
  if (probe.probe === 'repeatability') {
    const unsteady = pairs.filter(({ difference }) => difference > 0).length;
    return { p_value: computeUpperTail(unsteady, pairs.length, TOLERATED_UNSTEADY), rank_biserial: null, pairs };
  }
  if (probe.probe === 'self_preference') return testFamilies(probe);
  return { ...testSignedRanks(differencesOf(pairs), getAlternative(probe)), pairs };
}

/**
 * Of several families the one that stands out most, its p-value times their number (Bonferroni), since it was chosen among them; where the
 * judge's own is known that one alone.
 */
function testFamilies(probe: ProbePairs): Tested {
  const groups = byGroup(probe.pairs).filter((own) => own.length >= MIN_PAIRS);
  const tested = groups.map((pairs) => ({ ...testSignedRanks(differencesOf(pairs), getAlternative(probe)), pairs }));
  const most = tested.reduce((best, one) => (one.p_value < best.p_value ? one : best));
  return { ...most, p_value: Math.min(1, most.p_value * tested.length) };
}

/** A judge that turns against what is demanded is not led astray; and what differs less than by chance is no change. */
const getAlternative = ({ probe, measure }: ProbePairs): Alternative =>
  probe === 'injection' || measure === 'excess_change' ? 'greater' : 'two_sided';

async function effectOf(
  probe: Probe,
  pairs: readonly ProbePair[],
  pause: () => Promise<void>,
): Promise<Pick<ProbeResult, 'effect' | 'interval'>> {
  const differences = differencesOf(pairs);
  if (probe === 'repeatability') {
    const share = toShare(differences.filter((one) => one > 0).length, differences.length);
    return { effect: share?.value ?? null, interval: share && { low: share.low, high: share.high, level: LEVEL } };
  }
  const effect = await measureEffect(differences, pause);
  const mean = differences.length > 0 ? computeMean(differences) : null;
  return { effect: mean, interval: effect && { low: effect.low, high: effect.high, level: LEVEL } };
}

const differencesOf = (pairs: readonly ProbePair[]): number[] => pairs.map(({ difference }) => difference);

const byGroup = (pairs: readonly ProbePair[]): ProbePair[][] => [...Map.groupBy(pairs, ({ group }) => group).values()];

const toGroups = (pairs: readonly ProbePair[]): ProbeResult['groups'] =>
  byGroup(pairs).flatMap((own) => {
    const { group } = own[0]!;
    return group === undefined ? [] : [{ name: group, pairs: own.length, effect: computeMean(differencesOf(own)) }];
  });

const toChanged = (pairs: readonly ProbePair[]): ProbeResult['changed'] =>
  pairs
    .filter(({ difference }) => difference !== 0)
    .toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
    .slice(0, CHANGED_SHOWN)
    .map(({ case: id, group, before, after }) => ({
      case: group === undefined || id.startsWith(group) ? id : `${id}, ${group}`,
      ...({ before, after } as Pick<ProbeResult['changed'][number], 'before' | 'after'>),
    }));
