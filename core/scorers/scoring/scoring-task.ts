import { z } from 'zod';
import {
  PluginError,
  RUN_SETTINGS,
  type Scorer as RunningScorer,
  type RunSetting,
  type ScorerKit,
  type Surroundings,
} from '../../plugin-sdk/index.ts';
import { appliesTo, type MetricSettings, type SegmentFilter, type StoredEntry } from '../../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../scores/metric-settings-store.ts';
import { getRecordTypes } from '../../scores/record-types.ts';
import { isInSample } from '../../scores/sampling.ts';
import type { ScorerKinds } from '../kinds/scorer-kinds.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../scorer.ts';
import type { ScorerStore } from '../scorer-store.ts';
import type { Subject } from './subject.ts';
import { sortTopologically } from './topological-order.ts';

/** A scorer of a run in the version that runs. */
export interface ScoringTask {
  readonly entry: StoredEntry;
  readonly scorer: ScorerRecord;
  readonly version: ScorerVersionRecord;
  readonly samples: readonly SegmentFilter[];
}

export interface TaskDeps {
  readonly scorerStore: ScorerStore;
  readonly metricSettingsStore: MetricSettingsStore;
}

/** All scorers of a run that have a version to run, those first that others require, code before models. */
export async function toTasks(deps: TaskDeps, project_id: string, run_id: string): Promise<ScoringTask[]> {
  const settings = await deps.metricSettingsStore.find(project_id, run_id);
  return settings ? tasksIn(deps, settings) : [];
}

async function tasksIn({ scorerStore }: TaskDeps, { scorers: entries, segment_filters }: MetricSettings): Promise<ScoringTask[]> {
  const scorers = new Map((await scorerStore.findMany(entries.map(({ id }) => id))).map((scorer) => [scorer.id, scorer]));
  const found = entries.map(async (entry): Promise<ScoringTask[]> => {
    const scorer = scorers.get(entry.id);
    const version_id = entry.scorer_version_id ?? scorer?.default_version_id;
    const version = version_id ? await scorerStore.findVersion(version_id) : undefined;
    return scorer && version ? [{ entry, scorer, version, samples: segment_filters }] : [];
  });
  const tasks = (await Promise.all(found)).flat();
  return sortTopologically(
    tasks.toSorted((a, b) => asksModel(a) - asksModel(b)),
    ({ scorer }) => scorer,
  );
}

const asksModel = ({ entry }: ScoringTask): number => (entry.model_type === 'code' ? 0 : 1);

/** Whether the task is about a subject: type, filters and sample. */
export const isAbout = ({ entry, samples }: ScoringTask, { record }: Subject): boolean =>
  appliesTo(entry, record) && isInSample(samples, entry, record);

export const scoresSessions = ({ entry }: ScoringTask): boolean => getRecordTypes(entry.scoreable_node_types).has('session');

/** Output type of the scorer in this run: that of the run's entry, else of its version, else of the scorer. Null when nothing says. */
export const getOutputType = ({ entry, version, scorer }: Pick<ScoringTask, 'entry' | 'version' | 'scorer'>): string | null =>
  entry.output_type ?? version.output_type ?? scorer.output_type;

/** A scorer ready to run. */
export interface PreparedScorer {
  readonly surroundings: Surroundings;
  /** Whether it wants to know the right answer. */
  readonly ground_truth: boolean;
  start(kit: ScorerKit): RunningScorer;
}

/** The version with what the run's entry says otherwise. Throws a PluginError when no plugin for its kind is installed, or they do not fit. */
export function prepared(scorerKinds: ScorerKinds, { version, entry, scorer }: ScoringTask): PreparedScorer {
  const plugin = scorerKinds.find(version.kind);
  if (!plugin) throw new PluginError('unsupported', `no plugin for scorers of kind "${version.kind}" is installed`);
  const { definition, issues } = scorerKinds.parse(plugin, { ...version.definition, ...toOverrides(entry) });
  if (issues) throw new PluginError('unsupported', `the settings do not fit the scorer: ${z.prettifyError({ issues })}`);
  return {
    surroundings: plugin.surroundings?.(definition) ?? 'none',
    ground_truth: scorer.ground_truth === true || version.definition.ground_truth === true,
    start: (kit) => plugin.create(kit, definition),
  };
}

/** Settings of an entry that replace those of its version. */
export const toOverrides = (entry: Pick<StoredEntry, RunSetting>): object =>
  Object.fromEntries(RUN_SETTINGS.filter((name) => entry[name] !== null).map((name) => [name, entry[name]]));
