import type { AlertProgress, AlertSettings, AlertState, NewAlert } from './alert.ts';
import { isQuiet } from './quiet-hours.ts';

/** A bucket that has ended, with the figure of the series in it. */
export interface Observation {
  readonly value: number | null;
}

type Condition = Pick<NewAlert, 'operator' | 'threshold' | 'for_buckets' | 'no_data_buckets' | 'no_data'>;

/** How many buckets have to be looked at. */
export const bucketsFor = ({ for_buckets, no_data_buckets }: Pick<Condition, 'for_buckets' | 'no_data_buckets'>): number =>
  Math.max(for_buckets, no_data_buckets ?? 1);

/**
 * The state after these observations, the newest last. A bucket beyond the threshold makes it `pending`, as many in a row as
 * are asked for `firing`, one that is not `ok`. A bucket without a value leaves the state as it is, until there were so many
 * in a row that it is `no_data`, or `ok` where that was chosen.
 */
export function nextState(condition: Condition, state: AlertState, observations: readonly Observation[]): AlertState {
  const newest = observations.at(-1);
  if (newest === undefined) return state;
  if (newest.value === null) {
    const { no_data_buckets, no_data } = condition;
    const empty = trailing(observations, ({ value }) => value === null);
    if (no_data_buckets === null || empty < no_data_buckets || no_data === 'keep') return state;
    return no_data === 'ok' ? 'ok' : 'no_data';
  }
  const breaches = trailing(observations, ({ value }) => value !== null && isBeyond(condition, value));
  if (breaches === 0) return 'ok';
  return breaches >= condition.for_buckets || state === 'firing' ? 'firing' : 'pending';
}

type Told = AlertProgress['told_state'];

const NOTICES = { firing: 'alert.firing', no_data: 'alert.no_data', ok: 'alert.resolved' } as const;

/** A notification to be sent: that it fires, that no data come any more, that either is over, or once more that it is not. */
export interface Notice {
  readonly type: (typeof NOTICES)[Told];
  readonly told_state: Told;
  readonly is_reminder: boolean;
}

/**
 * Returns the notification of a state, by what was told before; undefined where there is none. What begins and ends
 * while nothing may be told is never told.
 */
export function toNotice(
  state: AlertState,
  { told_state, told_at }: Pick<AlertProgress, 'told_state' | 'told_at'>,
  { reminder_minutes }: Pick<AlertSettings, 'reminder_minutes'>,
  now: number,
): Notice | undefined {
  if (state === 'pending') return undefined;
  if (state !== told_state) return { type: NOTICES[state], told_state: state, is_reminder: false };
  if (state === 'ok' || reminder_minutes === null || told_at === null) return undefined;
  const isDue = now >= Date.parse(told_at) + reminder_minutes * 60_000;
  return isDue ? { type: NOTICES[state], told_state: state, is_reminder: true } : undefined;
}

/** Whether nothing may be told for now: muted, or quiet hours, which what is critical does not keep. */
export function isSilent(
  { muted_until, quiet_hours, severity }: Pick<AlertSettings, 'muted_until' | 'quiet_hours' | 'severity'>,
  now: number,
): boolean {
  if (muted_until !== null && now < Date.parse(muted_until)) return true;
  return quiet_hours !== null && severity !== 'critical' && isQuiet(quiet_hours, new Date(now));
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
