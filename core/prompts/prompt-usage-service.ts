import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError, type Issue } from '../kernel/errors.ts';
import type { Clock } from '../kernel/ports.ts';
import { compareText } from '../kernel/query/sort.ts';
import { COUNTED } from '../record-index/record-metrics.ts';
import type { PromptFigures, PromptUsageQuery, PromptUsageReply, PromptVersionUsage } from './prompt-usage.ts';
import { isResult, type PromptUsageSelection, type PromptUsageStore, type PromptUsageSum } from './prompt-usage-store.ts';
import { type StoredTemplateVersion, templateNotFound, templateVersionNotFound } from './template.ts';
import type { TemplateStore } from './template-store.ts';

export interface PromptUsageDeps {
  readonly promptUsageStore: PromptUsageStore;
  readonly templateStore: TemplateStore;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
}

const HOUR_MS = 3_600_000;
const DEFAULT_SPAN_MS = 30 * 24 * HOUR_MS;
const HOURS = { hour: 1, day: 24 } as const;
const MAX_BUCKETS = 2_000;
const MAX_SUMS = 200_000;
const MAX_SCORES = 100;
const NEWEST_VERSIONS = [
  { name: 'version', ascending: false },
  { offset: 0, limit: 100 },
] as const;

/** Figures of the versions of a prompt: calls, cost, tokens, time and scores of the records that are linked to them. */
export class PromptUsageService {
  readonly #deps: PromptUsageDeps;

  constructor(deps: PromptUsageDeps) {
    this.#deps = deps;
  }

  async ofTemplate(caller: Caller, project_id: string, template_id: string, query: PromptUsageQuery): Promise<PromptUsageReply> {
    await this.#authorize(caller, project_id, template_id);
    const { from, to } = this.#span(query);
    const versions = await this.#deps.templateStore.listVersions(template_id, ...NEWEST_VERSIONS);
    const prompt_version_ids = versions.map(({ id }) => id);
    const sums = await this.#sums({ project_id, prompt_version_ids, from, to });
    const byVersion = Map.groupBy(sums, ({ sum }) => sum.prompt_version_id);
    return {
      start_time: from,
      end_time: to,
      versions: versions.map((version) => ({ ...toNames(version), ...toFigures(byVersion.get(version.id) ?? []) })),
    };
  }

  async ofVersion(
    caller: Caller,
    project_id: string,
    template_id: string,
    number: number,
    query: PromptUsageQuery,
  ): Promise<PromptVersionUsage> {
    await this.#authorize(caller, project_id, template_id);
    const { from, to } = this.#span(query);
    const version = await this.#deps.templateStore.findVersion(template_id, number);
    if (!version) throw templateVersionNotFound(number);
    const selection = { project_id, prompt_version_ids: [version.id], from, to, bucket_hours: HOURS[query.interval] };
    const sums = await this.#sums(selection);
    const byBucket = [...Map.groupBy(sums, ({ sum }) => sum.at!)].toSorted(([a], [b]) => compareText(a, b));
    const buckets = byBucket.map(([at, own]) => ({ at, ...toFigures(own) }));
    const times = { start_time: from, end_time: to, interval: query.interval };
    return { ...times, ...toNames(version), ...toFigures(sums), buckets };
  }

  async #sums(selection: PromptUsageSelection): Promise<PlacedSum[]> {
    const { promptUsageStore } = this.#deps;
    const [calls, traces] = await Promise.all([
      promptUsageStore.sum(selection, MAX_SUMS),
      promptUsageStore.sumTraces(selection, MAX_SUMS),
    ]);
    return [...calls.map((sum) => ({ level: 'call', sum }) as const), ...traces.map((sum) => ({ level: 'trace', sum }) as const)];
  }

  /** Rejects with `not_found`, which of the two it may be, unless the caller sees the project and it uses the template. */
  async #authorize(caller: Caller, project_id: string, template_id: string): Promise<void> {
    const { authorizer, templateStore } = this.#deps;
    const seesProject = (await authorizer.roleOn(caller, 'project', project_id)) !== undefined;
    if (!seesProject || !(await templateStore.isUsedIn(template_id, project_id))) throw templateNotFound(template_id);
    await authorizer.authorize(caller, 'template', template_id, 'read');
  }

  /** Whole hours. Throws AppError `invalid` when there is no time between the two, or too much for the interval. */
  #span({ start_time, end_time, interval }: PromptUsageQuery): { readonly from: string; readonly to: string } {
    const end = end_time === undefined ? this.#deps.clock().getTime() : Date.parse(end_time);
    const start = start_time === undefined ? end - DEFAULT_SPAN_MS : Date.parse(start_time);
    if (start >= end) throw mismatch('time_range_empty', 'end_time', 'end_time has to be later than start_time');
    const [from, to] = [Math.floor(start / HOUR_MS) * HOUR_MS, Math.ceil(end / HOUR_MS) * HOUR_MS];
    const count = Math.ceil((to - from) / (HOURS[interval] * HOUR_MS));
    if (count > MAX_BUCKETS)
      throw mismatch('too_many_buckets', 'interval', `${count} buckets are more than ${MAX_BUCKETS}: choose a larger interval`);
    return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  }
}

function mismatch(code: string, field: string, msg: string): AppError {
  const issue: Issue = { loc: ['query', field], msg, type: code };
  return new AppError('invalid', code, msg, { issues: [issue] });
}

const toNames = ({ version, id }: StoredTemplateVersion) => ({ version, prompt_version_id: id });

/** Sum of metrics of calls, or of the traces that they are in. */
interface PlacedSum {
  readonly level: 'call' | 'trace';
  readonly sum: PromptUsageSum;
}

interface Total {
  readonly count: number;
  readonly sum: number;
}

function toFigures(sums: readonly PlacedSum[]): PromptFigures {
  const [totals, ofTraces] = [toTotals(sums, 'call'), toTotals(sums, 'trace')];
  const sumOf = (name: string): number | null => totals.get(name)?.sum ?? null;
  const meanOf = (name: string): number | null => {
    const total = totals.get(name);
    return total ? total.sum / total.count : null;
  };
  const whole = (name: string): number | null => {
    const sum = sumOf(name);
    return sum === null ? null : Math.round(sum);
  };
  return {
    num_calls: totals.get(COUNTED.records)?.count ?? 0,
    num_errors: whole(COUNTED.errors) ?? 0,
    cost: sumOf('cost'),
    num_input_tokens: whole('num_input_tokens'),
    num_output_tokens: whole('num_output_tokens'),
    mean_duration_ns: meanOf('duration_ns'),
    scores: toMeans(totals),
    num_traces: ofTraces.get(COUNTED.records)?.count ?? 0,
    trace_scores: toMeans(ofTraces),
  };
}

function toTotals(sums: readonly PlacedSum[], level: PlacedSum['level']): ReadonlyMap<string, Total> {
  const totals = new Map<string, Total>();
  for (const { sum: one } of sums.filter((placed) => placed.level === level)) {
    const { name, count, sum } = one;
    const known = totals.get(name) ?? { count: 0, sum: 0 };
    totals.set(name, { count: known.count + count, sum: known.sum + sum });
  }
  return totals;
}

function toMeans(totals: ReadonlyMap<string, Total>): PromptFigures['scores'] {
  const scores = [...totals].filter(([name]) => isResult(name)).slice(0, MAX_SCORES);
  return Object.fromEntries(scores.map(([name, { count, sum }]) => [name, { mean: sum / count, count }]));
}
