import { compareText } from '../../../core/kernel/query/sort.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import type { PromptUsageSelection, PromptUsageStore, PromptUsageSum } from '../../../core/prompts/prompt-usage-store.ts';
import { computeHour } from '../../../core/record-index/hourly.ts';
import { type JudgedRecords, metricsOfRun } from '../scorers/scored-records.ts';

const HOUR_MS = 3_600_000;

export class MemoryPromptUsageStore implements PromptUsageStore {
  readonly #deps: JudgedRecords;

  constructor(deps: JudgedRecords) {
    this.#deps = deps;
  }

  async sum(
    { project_id, prompt_version_ids, from, to, bucket_hours }: PromptUsageSelection,
    limit: number,
  ): Promise<PromptUsageSum[]> {
    const calls = this.#deps.traceStore
      .toRecords(project_id)
      .flatMap(({ id, run_id, attributes: { prompt_version_id } }) =>
        typeof prompt_version_id === 'string' && prompt_version_ids.includes(prompt_version_id)
          ? [{ id, run_id, prompt_version_id }]
          : [],
      );
    const sums = new Map<string, PromptUsageSum>();
    for (const run_id of new Set(calls.map((call) => call.run_id))) {
      const versions = new Map(calls.filter((call) => call.run_id === run_id).map((call) => [call.id, call.prompt_version_id]));
      for (const { record_id, name, value, created_at } of await metricsOfRun(this.#deps, project_id, run_id)) {
        const prompt_version_id = versions.get(record_id);
        const hour = computeHour(created_at);
        if (prompt_version_id === undefined || isBefore(hour, from) || !isBefore(hour, to)) continue;
        const at = bucket_hours === undefined ? null : toBucket(hour, bucket_hours);
        const key = JSON.stringify([prompt_version_id, at, name]);
        const known = sums.get(key) ?? { prompt_version_id, at, name, count: 0, sum: 0 };
        sums.set(key, { ...known, count: known.count + 1, sum: known.sum + value });
      }
    }
    const inOrder = [...sums.values()].sort(
      (a, b) =>
        compareText(a.prompt_version_id, b.prompt_version_id) ||
        compareText(a.at ?? '', b.at ?? '') ||
        compareText(a.name, b.name),
    );
    return inOrder.slice(0, limit);
  }
}

const toBucket = (hour: string, hours: number): string =>
  new Date(Math.floor(Date.parse(hour) / (hours * HOUR_MS)) * hours * HOUR_MS).toISOString();
