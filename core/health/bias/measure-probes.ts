import type { ScoreValue } from '../../plugin-sdk/index.ts';
import {
  type AuditScope,
  KEYS,
  listFamilies,
  type PlannedInjection,
  planInjections,
  REPEATS,
  swapsLabels,
  type Verdicts,
} from './audit-plan.ts';
import type { Measure, Probe } from './probe.ts';
import { computeDistance, computePull, getMeanPlace, isOrdered, isSteady, toNumber } from './verdict-scale.ts';

/** One pair of verdicts: how far the second is from the first in the direction of the bias. */
export interface ProbePair {
  readonly case: string;
  readonly group?: string;
  readonly difference: number;
  readonly before: ScoreValue;
  readonly after: ScoreValue;
}

export interface ProbePairs {
  readonly probe: Probe;
  readonly measure: Measure;
  readonly pairs: readonly ProbePair[];
  /** Pairs that were asked for and have no two verdicts. */
  readonly unusable: number;
}

interface Side {
  readonly key: string;
  readonly value: ScoreValue | null | undefined;
}

/** The pairs of each probe, from the verdicts. */
export function pairVerdicts(scope: AuditScope, verdicts: Verdicts): ProbePairs[] {
  return scope.probes.map((probe) => PAIRS[probe](scope, verdicts));
}

const PAIRS: Readonly<Record<Probe, (scope: AuditScope, verdicts: Verdicts) => ProbePairs>> = {
  verbosity: (scope, verdicts) => againstBase('verbosity', scope, verdicts),
  formatting: (scope, verdicts) => againstBase('formatting', scope, verdicts),
  language: (scope, verdicts) => againstBase('language', scope, verdicts),
  position: (scope, verdicts) => (swapsLabels(scope) ? labelPlaces(scope, verdicts) : swapped(scope, verdicts)),
  self_preference: families,
  injection: pulls,
  repeatability: steadiness,
};

const measureOf = (scope: AuditScope): Measure => (isOrdered(scope.scale) ? 'difference' : 'excess_change');

function againstBase(probe: Probe, scope: AuditScope, verdicts: Verdicts): ProbePairs {
  const asked = scope.cases.filter((one) => probe !== 'language' || one.translated);
  const pairs = asked.map((one) =>
    compare(
      scope,
      one.id,
      side(verdicts, KEYS.base(one)),
      side(verdicts, KEYS.changed(probe, one)),
      side(verdicts, KEYS.base(one, 1)),
    ),
  );
  return gather(probe, measureOf(scope), pairs);
}

/** Of what stands first against what stands second. */
function swapped(scope: AuditScope, verdicts: Verdicts): ProbePairs {
  const pairs = scope.cases
    .filter(({ options }) => options)
    .map((one) => {
      const at = (how: string) => side(verdicts, KEYS.changed('position', one, how));
      return compare(scope, one.id, at('second'), at('first'), at('again'), at('first'));
    });
  return gather('position', measureOf(scope), pairs);
}

/**
 * How much nearer to the top of the list the labels of the verdicts are than if the order did not matter: one order is the other turned over, so
 * that the places in both then add up to 1.
 */
function labelPlaces(scope: AuditScope, verdicts: Verdicts): ProbePairs {
  const labels = scope.scale.labels!;
  const pairs = scope.cases.map((one): ProbePair | undefined => {
    const [before, after] = [verdicts.get(KEYS.base(one)), verdicts.get(KEYS.changed('position', one, 'labels'))];
    if (!isGiven(before) || !isGiven(after)) return undefined;
    const [place, turned] = [getMeanPlace(before, labels), getMeanPlace(after, labels.toReversed())];
    if (place === undefined || turned === undefined) return undefined;
    return { case: one.id, difference: round(place + turned - 1), before, after };
  });
  return gather('position', 'label_place', pairs);
}

/** Each family against another one, in turns, so that no text is held against itself. */
function families(scope: AuditScope, verdicts: Verdicts): ProbePairs {
  const all = listFamilies(scope);
  const asked = scope.family ? all.slice(0, 1) : all;
  const pairs = asked.flatMap((family, index) =>
    scope.cases.map((one, at) => {
      const other = all[(index + 1 + (at % (all.length - 1))) % all.length]!;
      const by = (name: string) => side(verdicts, KEYS.changed('self_preference', one, name));
      const pair = compare(
        scope,
        one.id,
        by(other),
        by(family),
        side(verdicts, KEYS.base(one, 1)),
        side(verdicts, KEYS.base(one)),
      );
      return pair && { ...pair, group: family };
    }),
  );
  return gather('self_preference', measureOf(scope), pairs);
}

function pulls(scope: AuditScope, verdicts: Verdicts): ProbePairs {
  const pairs = planInjections(scope, verdicts).map(({ injection, given, demanded }: PlannedInjection): ProbePair | undefined => {
    const attempt = verdicts.get(KEYS.injection(injection, 'attempt'));
    const control = verdicts.get(KEYS.injection(injection, 'control'));
    if (!isGiven(attempt) || !isGiven(control)) return undefined;
    const to = (value: ScoreValue) => computePull(scope.scale, value, given, demanded);
    return {
      case: injection.id,
      group: injection.kind,
      difference: round(to(attempt) - to(control)),
      before: control,
      after: attempt,
    };
  });
  return gather('injection', 'pull', pairs);
}

/** 1 for a text whose verdicts differ, 0 for one whose verdicts are the same. */
function steadiness(scope: AuditScope, verdicts: Verdicts): ProbePairs {
  const pairs = scope.cases.map((one): ProbePair | undefined => {
    const values = Array.from({ length: REPEATS }, (_, time) => verdicts.get(KEYS.base(one, time)));
    if (!values.every(isGiven)) return undefined;
    const first = values[0]!;
    const isSame = isOrdered(scope.scale)
      ? isSteady(scope.scale, values)
      : values.every((value) => computeDistance(value, first) === 0);
    const other = isSame ? first : values.find((value) => !isEqual(scope, value, first))!;
    return { case: one.id, difference: isSame ? 0 : 1, before: first, after: other };
  });
  return gather('repeatability', 'unsteady_share', pairs);
}

/**
 * Of ordered verdicts the difference. Others have no direction: they differ by more than two verdicts on one text (`same`, and `first`,
 * which is `before` where it is not given) do anyway.
 */
function compare(
  scope: AuditScope,
  id: string,
  before: Side,
  after: Side,
  same: Side,
  first: Side = before,
): ProbePair | undefined {
  if (!isGiven(before.value) || !isGiven(after.value)) return undefined;
  const pair = { case: id, before: before.value, after: after.value };
  if (isOrdered(scope.scale)) return { ...pair, difference: round(toNumber(after.value) - toNumber(before.value)) };
  if (!isGiven(same.value) || !isGiven(first.value)) return undefined;
  const noise = computeDistance(first.value, same.value);
  return { ...pair, difference: round(computeDistance(before.value, after.value) - noise) };
}

const side = (verdicts: Verdicts, key: string): Side => ({ key, value: verdicts.get(key) });

function gather(probe: Probe, measure: Measure, found: readonly (ProbePair | undefined)[]): ProbePairs {
  const pairs = found.filter((pair) => pair !== undefined);
  return { probe, measure, pairs, unusable: found.length - pairs.length };
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

const isEqual = ({ scale }: AuditScope, one: ScoreValue, other: ScoreValue): boolean =>
  isOrdered(scale) ? one === other : computeDistance(one, other) === 0;

/** Without what subtraction leaves of decimal fractions. */
const round = (value: number): number => Math.round(value * 1e9) / 1e9;
