import type { AlertState, NewAlert } from './alert.ts';

/** A bucket that has ended, with the figure of the series in it. */
export interface Observation {
  readonly value: number | null;
}

type Condition = Pick<NewAlert, 'operator' | 'threshold' | 'for_buckets' | 'no_data_buckets'>;

/** How many buckets have to be looked at. */
export const bucketsFor = ({ for_buckets, no_data_buckets }: Condition): number => Math.max(for_buckets, no_data_buckets ?? 1);

/**
 * The state after these observations, the newest last. A bucket beyond the threshold makes it `pending`, as many in a row as
 * are asked for `firing`, one that is not `ok`. A bucket without a value leaves the state as it is, until there were so many
 * in a row that it is `no_data`.
 */
export function nextState(condition: Condition, state: AlertState, observations: readonly Observation[]): AlertState {
  const newest = observations.at(-1);
  if (newest === undefined) return state;
  if (newest.value === null) {
    const { no_data_buckets } = condition;
    const empty = trailing(observations, ({ value }) => value === null);
    return no_data_buckets !== null && empty >= no_data_buckets ? 'no_data' : state;
  }
  const breaches = trailing(observations, ({ value }) => value !== null && isBeyond(condition, value));
  if (breaches === 0) return 'ok';
  return breaches >= condition.for_buckets || state === 'firing' ? 'firing' : 'pending';
}

/**
 * Returns the notification of a change of state: that it fires, that no data come any more, or that either is over;
 * undefined where there is none.
 */
export function toNotice(from: AlertState, to: AlertState): 'alert.firing' | 'alert.no_data' | 'alert.resolved' | undefined {
  if (from === to) return undefined;
  if (to === 'firing') return 'alert.firing';
  if (to === 'no_data') return 'alert.no_data';
  return to === 'ok' && from !== 'pending' ? 'alert.resolved' : undefined;
}

/** Of several groups the one that is furthest beyond counts. */
export function computeWorst({ operator }: Pick<Condition, 'operator'>, values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return known.reduce((a, b) => (operator === 'above' ? Math.max(a, b) : Math.min(a, b)));
}

const isBeyond = ({ operator, threshold }: Condition, value: number): boolean =>
  operator === 'above' ? value > threshold : value < threshold;

function trailing(observations: readonly Observation[], holds: (one: Observation) => boolean): number {
  const last = observations.findLastIndex((one) => !holds(one));
  return observations.length - 1 - last;
}
