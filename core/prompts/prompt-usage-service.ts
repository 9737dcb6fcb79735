import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError, type Issue } from '../kernel/errors.ts';
import type { Clock } from '../kernel/ports.ts';
import { COUNTED } from '../record-index/record-metrics.ts';
import { isSystemMetric } from '../traces/catalogue/system-metrics.ts';
import type { PromptFigures, PromptUsageQuery, PromptUsageReply, PromptVersionUsage } from './prompt-usage.ts';
import type { PromptUsageStore, PromptUsageSum } from './prompt-usage-store.ts';
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
    const sums = await this.#deps.promptUsageStore.sum({ project_id, prompt_version_ids, from, to }, MAX_SUMS);
    const byVersion = Map.groupBy(sums, (sum) => sum.prompt_version_id);
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
    const sums = await this.#deps.promptUsageStore.sum(selection, MAX_SUMS);
    const buckets = [...Map.groupBy(sums, ({ at }) => at!)].map(([at, own]) => ({ at, ...toFigures(own) }));
    const times = { start_time: from, end_time: to, interval: query.interval };
    return { ...times, ...toNames(version), ...toFigures(sums), buckets };
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

function toFigures(sums: readonly PromptUsageSum[]): PromptFigures {
  const totals = new Map<string, { count: number; sum: number }>();
  for (const { name, count, sum } of sums) {
    const known = totals.get(name) ?? { count: 0, sum: 0 };
    totals.set(name, { count: known.count + count, sum: known.sum + sum });
  }
  const sumOf = (name: string): number | null => totals.get(name)?.sum ?? null;
  const meanOf = (name: string): number | null => {
    const total = totals.get(name);
    return total ? total.sum / total.count : null;
  };
  const whole = (name: string): number | null => {
    const sum = sumOf(name);
    return sum === null ? null : Math.round(sum);
  };
  const scores = [...totals].filter(([name]) => !isSystemMetric(name) && !Object.hasOwn(COUNTED, name)).slice(0, MAX_SCORES);
  return {
    num_calls: totals.get(COUNTED.records)?.count ?? 0,
    num_errors: whole(COUNTED.errors) ?? 0,
    cost: sumOf('cost'),
    num_input_tokens: whole('num_input_tokens'),
    num_output_tokens: whole('num_output_tokens'),
    mean_duration_ns: meanOf('duration_ns'),
    scores: Object.fromEntries(scores.map(([name, { count, sum }]) => [name, { mean: sum / count, count }])),
  };
}
