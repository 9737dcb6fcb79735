import { type Finding, type Insight, type InsightStatus, PRIORITIES } from '../../../core/insights/insight.ts';
import type { InsightStore } from '../../../core/insights/insight-store.ts';
import type { StoredInsightsSettings } from '../../../core/insights/insights-settings.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import { sortableTime } from '../../../core/kernel/timestamp.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Cell, Table } from '../table.ts';

interface Kept {
  readonly project_id: string;
  readonly key: string;
  readonly insight: Insight;
}

export interface MemoryInsightDeps {
  runExists(project_id: string, run_id: string): Promise<boolean>;
}

export class MemoryInsightStore implements InsightStore {
  readonly #deps: MemoryInsightDeps;
  readonly #settings: Table<string, StoredInsightsSettings>;
  readonly #kept: Cell<readonly Kept[]>;

  constructor(deps: MemoryInsightDeps & { readonly database: MemoryDatabase }) {
    this.#deps = deps;
    this.#settings = deps.database.table();
    this.#kept = deps.database.cell([]);
  }

  async findSettings(project_id: string, run_id: string): Promise<StoredInsightsSettings | undefined> {
    return structuredClone(this.#settings.get(`${project_id} ${run_id}`));
  }

  async setSettings(project_id: string, run_id: string, settings: StoredInsightsSettings): Promise<void> {
    this.#settings.set(`${project_id} ${run_id}`, { ...settings });
  }

  async record(project_id: string, run_id: string, id: string, { key, ...finding }: Finding, now: string): Promise<void> {
    if (!(await this.#deps.runExists(project_id, run_id))) return;
    const isSame = (one: Kept): boolean => one.project_id === project_id && one.insight.run_id === run_id && one.key === key;
    const {
      id: known_id,
      status,
      first_seen_at,
    } = this.#kept.value.find(isSame)?.insight ?? { id, status: 'open', first_seen_at: now };
    const facts = { run_id, priority: PRIORITIES[finding.priority_category], last_seen_at: now };
    const insight = structuredClone({ ...finding, ...facts, id: known_id, status, first_seen_at } as Insight);
    this.#kept.value = [...this.#kept.value.filter((one) => !isSame(one)), { project_id, key, insight }];
  }

  async find(project_id: string, run_id: string, id: string): Promise<Insight | undefined> {
    return this.#of(project_id, run_id).find((one) => one.id === id);
  }

  async list(
    project_id: string,
    run_id: string,
    status: InsightStatus | undefined,
    { offset, limit }: Slice,
  ): Promise<Insight[]> {
    const own = this.#of(project_id, run_id).filter((one) => status === undefined || one.status === status);
    const ordered = own.sort(
      (a, b) =>
        a.priority - b.priority ||
        compareText(sortableTime(b.last_seen_at), sortableTime(a.last_seen_at)) ||
        compareText(a.id, b.id),
    );
    return ordered.slice(offset, offset + limit);
  }

  async setStatus(project_id: string, run_id: string, id: string, status: InsightStatus): Promise<Insight | undefined> {
    if (!(await this.find(project_id, run_id, id))) return undefined;
    this.#kept.value = this.#kept.value.map((one) =>
      one.insight.id === id ? { ...one, insight: { ...one.insight, status } } : one,
    );
    return this.find(project_id, run_id, id);
  }

  #of(project_id: string, run_id: string): Insight[] {
    const own = this.#kept.value.filter((one) => one.project_id === project_id && one.insight.run_id === run_id);
    return structuredClone(own.map(({ insight }) => insight));
  }
}
