import { compareText } from '../../../core/kernel/query/sort.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import {
  isOfTrace,
  MAX_VERSIONS_OF_TRACE,
  type PromptUsageSelection,
  type PromptUsageStore,
  type PromptUsageSum,
} from '../../../core/prompts/prompt-usage-store.ts';
import { computeHour } from '../../../core/record-index/hourly.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { type JudgedRecords, metricsOfRun } from '../scorers/scored-records.ts';

const HOUR_MS = 3_600_000;

export class MemoryPromptUsageStore implements PromptUsageStore {
  readonly #deps: JudgedRecords;

  constructor(deps: JudgedRecords) {
    this.#deps = deps;
  }

  sum(selection: PromptUsageSelection, limit: number): Promise<PromptUsageSum[]> {
    return this.#sum(selection, limit, { getId: ({ id }) => id, isCounted: () => true });
  }

  sumTraces(selection: PromptUsageSelection, limit: number): Promise<PromptUsageSum[]> {
    return this.#sum(selection, limit, { getId: ({ trace_id }) => trace_id, isCounted: isOfTrace });
  }

  /** Of the records that `getId` names for the calls, each once for each version. */
  async #sum(
    { project_id, prompt_version_ids, from, to, bucket_hours }: PromptUsageSelection,
    limit: number,
    { getId, isCounted }: { getId: (call: LogRecord) => string; isCounted: (name: string) => boolean },
  ): Promise<PromptUsageSum[]> {
    const calls = this.#deps.traceStore.toRecords(project_id).filter((record) => getVersion(record) !== undefined);
    const sums = new Map<string, PromptUsageSum>();
    for (const [run_id, ofRun] of Map.groupBy(calls, (call) => call.run_id)) {
      const byRecord = Map.groupBy(ofRun, getId);
      for (const { record_id, name, value, created_at } of await metricsOfRun(this.#deps, project_id, run_id)) {
        const hour = computeHour(created_at);
        if (!isCounted(name) || isBefore(hour, from) || !isBefore(hour, to)) continue;
        const versions = [...new Set((byRecord.get(record_id) ?? []).flatMap((call) => getVersion(call) ?? []))].sort();
        for (const prompt_version_id of versions.slice(0, MAX_VERSIONS_OF_TRACE)) {
          if (!prompt_version_ids.includes(prompt_version_id)) continue;
          const at = bucket_hours === undefined ? null : toBucket(hour, bucket_hours);
          const key = JSON.stringify([prompt_version_id, at, name]);
          const known = sums.get(key) ?? { prompt_version_id, at, name, count: 0, sum: 0 };
          sums.set(key, { ...known, count: known.count + 1, sum: known.sum + value });
        }
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

function getVersion({ attributes: { prompt_version_id } }: LogRecord): string | undefined {
  return typeof prompt_version_id === 'string' ? prompt_version_id : undefined;
}

const toBucket = (hour: string, hours: number): string =>
  new Date(Math.floor(Date.parse(hour) / (hours * HOUR_MS)) * hours * HOUR_MS).toISOString();
