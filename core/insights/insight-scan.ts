import type { Clock, NewId } from '../kernel/ports.ts';
import type { MetricSettingsStore } from '../scores/metric-settings-store.ts';
import type { RecordScan } from '../traces/read/record-scan.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import type { SeriesStore } from '../trends/series-store.ts';
import type { TrendStore } from '../trends/trend-store.ts';
import type { WorkList } from '../trends/work-list.ts';
import { errorClusters } from './error-clusters.ts';
import { heavySteps } from './heavy-steps.ts';
import type { Finding } from './insight.ts';
import type { InsightStore } from './insight-store.ts';
import { lookAt } from './scan.ts';
import { scoreDrops } from './score-drops.ts';
import { toolLoops } from './tool-loops.ts';

export interface InsightScanDeps {
  readonly insightStore: InsightStore;
  readonly workList: WorkList;
  readonly traceStore: TraceStore;
  readonly reportScan: RecordScan;
  readonly seriesStore: SeriesStore;
  readonly trendStore: TrendStore;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Of one sort and one look: those with the most occurrences. */
const MAX_FINDINGS = 20;
const EVERY_MS = 10 * 60_000;
/** Longer than a look takes. */
const LEASE_MS = 5 * 60_000;

/** Looks at runs from time to time and writes down what it finds. Any number of processes may do so at once. */
export class InsightScan {
  readonly #deps: InsightScanDeps;

  constructor(deps: InsightScanDeps) {
    this.#deps = deps;
  }

  /** Looks at one run whose turn it is. Returns whether there was one. */
  async run(): Promise<boolean> {
    const { workList, insightStore, clock } = this.#deps;
    const now = clock();
    const after = (ms: number): string => new Date(now.getTime() + ms).toISOString();
    const work = await workList.claim('insights', now.toISOString(), after(LEASE_MS));
    if (!work) return false;
    const settings = await insightStore.findSettings(work.project_id, work.id);
    if (!settings?.enabled) await workList.remove(work);
    else {
      await this.#look(work.project_id, work.id, now);
      await workList.put(work, after(EVERY_MS));
    }
    return true;
  }

  async #look(project_id: string, run_id: string, now: Date): Promise<void> {
    const { traceStore, reportScan, insightStore, newId } = this.#deps;
    const look = lookAt(project_id, run_id, now);
    for (const found of [
      await errorClusters(traceStore, look),
      await heavySteps(this.#deps, look),
      await scoreDrops(this.#deps, look),
      await toolLoops(reportScan, look),
    ])
      for (const finding of mostFrequent(found))
        await insightStore.record(project_id, run_id, newId(), finding, now.toISOString());
  }
}

const mostFrequent = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => b.occurrences - a.occurrences).slice(0, MAX_FINDINGS);
