import { combined, type Sketch, summed } from '../../record-index/sketch.ts';
import type { Observation } from '../alert-state.ts';
import { readModelUse } from '../model-use.ts';
import type { HourlySlice, SeriesStore, Slice } from '../series-store.ts';
import { toBins } from './bins.ts';
import type { DriftBin, DriftMeasure } from './drift.ts';
import { DAY_MS, type Window } from './drift-windows.ts';
import { computeChanceLevel, computeStability, toChange } from './stability.ts';

interface RunKey {
  readonly project_id: string;
  readonly run_id: string;
}

export interface Windows {
  readonly reference: Window;
  readonly current: Window;
}

/** Windows of an alert, one after the other, each judged against the days before it. */
export interface WindowRow {
  /** When the last one ends, in ms since 1970. */
  readonly end: number;
  /** Of each window, in ms; a divisor of a day. */
  readonly width: number;
  readonly count: number;
  readonly reference_days: number;
}

type Measured = Pick<
  DriftMeasure,
  'stability_index' | 'chance_level' | 'change' | 'unknown_because' | 'reference_count' | 'current_count'
>;

const MAX_MODELS = 50;

/** Measures how far numbers have moved: from the hourly roll-up, so at a cost by hours and not by records. */
export class DriftReader {
  readonly #store: SeriesStore;

  constructor({ seriesStore }: { seriesStore: SeriesStore }) {
    this.#store = seriesStore;
  }

  async measureNumbers(run: RunKey, windows: Windows, of: DriftMeasure['of'], slice: Slice): Promise<DriftMeasure> {
    const [reference, current] = await Promise.all(
      [windows.reference, windows.current].map(async (window) => {
        const [rows] = await this.#store.fromHours({ ...run, ...toTimes(window), minutes: null }, [toSketched(slice)]);
        return rows![0]?.sketch ?? {};
      }),
    );
    const bins = toBins(reference!, current!).map((bin) => ({ ...bin, value: null }));
    return { of, ...toMeasured(bins, getSize(reference!), getSize(current!)), bins };
  }

  /** The shares of models among the calls: read from these, since the roll-up does not keep them apart. */
  async measureModels(run: RunKey, windows: Windows, types: readonly string[]): Promise<DriftMeasure> {
    const shares: ReadonlyMap<string | null, number>[] = [];
    for (const window of [windows.reference, windows.current]) {
      const use = await readModelUse(this.#store, { ...run, ...toTimes(window), minutes: null }, types, MAX_MODELS);
      if ('too_many' in use) return toUnknown('model', use.too_many);
      shares.push(new Map(use.rows.map(({ group, count }) => [group, count])));
    }
    const [reference, current] = shares as [ReadonlyMap<string | null, number>, ReadonlyMap<string | null, number>];
    const bins = [...new Set([...reference.keys(), ...current.keys()])].map((value): DriftBin => {
      return {
        lower: null,
        upper: null,
        value,
        reference_count: reference.get(value) ?? 0,
        current_count: current.get(value) ?? 0,
      };
    });
    const sizes = [reference, current].map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
    return { of: 'model', ...toMeasured(bins, sizes[0]!, sizes[1]!), bins };
  }

  /** The index of each window; 0 where it is not beyond what chance brings, null where one of the two has no values. */
  async readWindows(run: RunKey, { end, width, count, reference_days }: WindowRow, slice: Slice): Promise<Observation[]> {
    const before = (reference_days * DAY_MS) / width;
    const first = end - (count + before) * width;
    const time = { ...run, ...toTimes({ from: first, to: end }), minutes: width / 60_000 };
    const [rows] = await this.#store.fromHours(time, [toSketched(slice)]);
    const byBucket = new Map(rows!.map(({ bucket, sketch }) => [bucket, sketch ?? {}]));
    const sketches = Array.from({ length: count + before }, (_, at) => byBucket.get(first + at * width) ?? {});
    let reference = summed(sketches.slice(0, before));
    return sketches.slice(before).map((current, at) => {
      const value = toFigure(reference, current);
      // Slides on by one window: the newest joins the reference, the oldest leaves it.
      reference = combined(combined(reference, current), sketches[at]!, -1);
      return { value };
    });
  }
}

function toFigure(reference: Sketch, current: Sketch): number | null {
  const { stability_index, change, chance_level } = toMeasured(toBins(reference, current), getSize(reference), getSize(current));
  if (change === null) return null;
  return stability_index! > chance_level! ? stability_index : 0;
}

function toMeasured(bins: Parameters<typeof computeStability>[0], reference_count: number, current_count: number): Measured {
  const counts = { reference_count, current_count };
  const stability_index = reference_count === 0 || current_count === 0 ? null : computeStability(bins);
  const chance_level = stability_index === null ? null : computeChanceLevel(bins);
  if (stability_index === null || chance_level === null) {
    const unknown_because = `the ${reference_count === 0 ? 'reference' : 'window'} has no values`;
    return { stability_index: null, chance_level: null, change: null, unknown_because, ...counts };
  }
  return { stability_index, chance_level, change: toChange(stability_index, chance_level), unknown_because: null, ...counts };
}

const toUnknown = (of: DriftMeasure['of'], unknown_because: string): DriftMeasure => ({
  ...{ of, stability_index: null, chance_level: null, change: null, unknown_because },
  ...{ reference_count: 0, current_count: 0, bins: [] },
});

const getSize = (sketch: Sketch): number => Object.values(sketch).reduce((sum, count) => sum + count, 0);

const toSketched = ({ name, types }: Slice): HourlySlice => ({ name, types, detail: 'sketch', by_type: false });

const toTimes = ({ from, to }: Window) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
