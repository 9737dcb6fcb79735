import type { Clock } from '../../kernel/ports.ts';
import type { RunContext } from '../../projects/run-context.ts';
import { computeHour } from '../../record-index/hourly.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import type { MetricPoint } from './metric-points.ts';
import { type Amount, joinAmounts, type MetricSeries, type SeriesHour, type StreamState } from './metric-series.ts';
import type { KnownStreams, MetricChange, MetricSeriesStore } from './metric-series-store.ts';
import { advance, findPointFault, KEPT_MS } from './metric-stream.ts';

export interface MetricIntakeDeps {
  readonly metricSeriesStore: MetricSeriesStore;
  readonly clock: Clock;
}

/** Of a project. */
export const MAX_SERIES = 2_000;
export const MAX_STREAMS = 20_000;
/** Points that are stored in one transaction. */
const POINTS_AT_ONCE = 200;
const REMOVED_AT_ONCE = 1_000;
const NANOS_PER_MS = 1_000_000n;

const TOO_MANY_SERIES = `a project has at most ${MAX_SERIES} series of metrics`;
const TOO_MANY_STREAMS = `a project has at most ${MAX_STREAMS} streams of data points in 9 days`;

/** Keeps data points as numbers of series by the hour, each point once however often it is sent. */
export class MetricIntake {
  readonly #deps: MetricIntakeDeps;
  /** Points of one project hold one connection to the database, however many requests bring them. */
  readonly #turns = new KeyedMutex();

  constructor(deps: MetricIntakeDeps) {
    this.#deps = deps;
  }

  /** Returns why points are refused, one text for each of them. What is stored stays so if a later part fails: a repeat does not count twice. */
  async keep(run: RunContext, points: readonly MetricPoint[]): Promise<string[]> {
    const refusals: string[] = [];
    const now = this.#deps.clock().getTime();
    const good = points.filter(({ point }) => {
      const fault = findPointFault(point, now);
      if (fault !== undefined) refusals.push(fault);
      return fault === undefined;
    });
    for (let at = 0; at < good.length; at += POINTS_AT_ONCE)
      refusals.push(...(await this.#keepPart(run, good.slice(at, at + POINTS_AT_ONCE), now)));
    return refusals;
  }

  /** Forgets streams that ended. */
  async removeOld(): Promise<{ more: boolean }> {
    const before = new Date(this.#deps.clock().getTime() - KEPT_MS).toISOString();
    const removed = await this.#deps.metricSeriesStore.removeStreamsBefore(before, REMOVED_AT_ONCE);
    return { more: removed === REMOVED_AT_ONCE };
  }

  #keepPart({ project_id, run_id }: RunContext, points: readonly MetricPoint[], now: number): Promise<string[]> {
    const asked = {
      streams: [...new Set(points.map(({ stream_id }) => stream_id))],
      series: [...new Set(points.map(({ series }) => series.id))],
    };
    return this.#turns.run([project_id], async () => {
      let refusals: string[] = [];
      await this.#deps.metricSeriesStore.update({ project_id, run_id }, asked, (known) => {
        const made = computeChange(points, known, now);
        refusals = made.refusals;
        return made.change;
      });
      return refusals;
    });
  }
}

/** Computes the change that points make to what is known. */
function computeChange(
  points: readonly MetricPoint[],
  known: KnownStreams,
  now: number,
): { change: MetricChange; refusals: string[] } {
  const series = new Map<string, MetricSeries>();
  const streams = new Map<string, StreamState>();
  const hours = new Map<string, SeriesHour>();
  const refusals: string[] = [];
  const room = { series: MAX_SERIES - known.num_series, streams: MAX_STREAMS - known.num_streams };
  const isNew = { series: new Set<string>(), streams: new Set<string>() };
  for (const one of points) {
    const state = streams.get(one.stream_id) ?? known.streams.get(one.stream_id);
    const isNewSeries = !known.series.has(one.series.id) && !isNew.series.has(one.series.id);
    if (isNewSeries && isNew.series.size >= room.series) refusals.push(TOO_MANY_SERIES);
    else if (!state && isNew.streams.size >= room.streams) refusals.push(TOO_MANY_STREAMS);
    else {
      const made = advance(one.form, state, one.point, now);
      if (made.refusal !== undefined) refusals.push(made.refusal);
      if (!made.state) continue;
      if (isNewSeries) isNew.series.add(one.series.id);
      if (!state) isNew.streams.add(one.stream_id);
      series.set(one.series.id, one.series);
      streams.set(one.stream_id, made.state);
      if (made.amount) addTo(hours, one, made.amount);
    }
  }
  const states = [...streams].map(([id, state]) => ({ id, state }));
  const change = { series: [...series.values()], streams: states, hours: [...hours.values()], at: new Date(now).toISOString() };
  return { change, refusals };
}

function addTo(hours: Map<string, SeriesHour>, { series: { id }, form, point }: MetricPoint, amount: Amount): void {
  // Whatever came in a time belongs to the hour before its end, which may be the beginning of the next one.
  const nanos = point.time_unix_nano - (form === 'samples' ? 0n : 1n);
  const hour = computeHour(new Date(Number(nanos / NANOS_PER_MS)).toISOString());
  const key = `${id} ${hour}`;
  const before = hours.get(key);
  hours.set(key, before ? joinAmounts(before, amount) : { series_id: id, hour, ...amount });
}
