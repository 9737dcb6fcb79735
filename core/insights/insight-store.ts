import type { Slice } from '../kernel/query/page.ts';
import type { Finding, Insight, InsightStatus } from './insight.ts';
import type { StoredInsightsSettings } from './insights-settings.ts';

/** Which runs are looked at, and what was found. Values handed in or out belong to the caller. All of a run goes with it. */
export interface InsightStore {
  /** Undefined for a run that was never set. */
  findSettings(project_id: string, run_id: string): Promise<StoredInsightsSettings | undefined>;
  setSettings(project_id: string, run_id: string, settings: StoredInsightsSettings): Promise<void>;

  /**
   * Writes down what a look at `now` found: under `id` when its key is new in the run; else in place of what was found before,
   * which keeps its id, its status and when it was first seen. Nothing is written for a run that is gone.
   */
  record(project_id: string, run_id: string, id: string, finding: Finding, now: string): Promise<void>;
  find(project_id: string, run_id: string, id: string): Promise<Insight | undefined>;
  /** Of a status or all: the most pressing first, then those seen last, then by id. */
  list(project_id: string, run_id: string, status: InsightStatus | undefined, slice: Slice): Promise<Insight[]>;
  /** Returns it as it is then; undefined when there is none. */
  setStatus(project_id: string, run_id: string, id: string, status: InsightStatus): Promise<Insight | undefined>;
}
