import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { AppError, type Issue } from '../../kernel/errors.ts';
import type { Transactions } from '../../kernel/ports.ts';
import type { RunKind } from '../../projects/run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { toEntryChanges } from '../../scores/entry-changes.ts';
import type { MetricSettings, StoredEntry } from '../../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../scores/metric-settings-store.ts';
import type { ScorerKinds } from '../kinds/scorer-kinds.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../scorer.ts';
import type { ScorerStore } from '../scorer-store.ts';
import type { ScoringBacklog } from '../scoring/scoring-backlog.ts';
import { toOverrides } from '../scoring/scoring-task.ts';
import type { SuspensionView } from '../scoring/suspension.ts';
import { suspensionView } from '../scoring/suspension-service.ts';
import type { SuspensionStore } from '../scoring/suspension-store.ts';
import { findCycle } from '../scoring/topological-order.ts';
import { entryViews } from './entry-views.ts';
import { MAX_FILTER_VALUES, type MetricSettingsUpdate, type MetricSettingsView, type NewScorerEntry } from './metric-settings.ts';
import { type PlannedEntry, planEntry } from './planned-entry.ts';

export interface MetricSettingsDeps {
  readonly metricSettingsStore: MetricSettingsStore;
  readonly scorerStore: ScorerStore;
  readonly suspensionStore: Pick<SuspensionStore, 'list'>;
  readonly scoringBacklog: ScoringBacklog;
  readonly runDirectory: RunDirectory;
  readonly scorerKinds: ScorerKinds;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
}

/** A run of a project, which has to be of one of these kinds. */
export interface SettingsOf {
  readonly project_id: string;
  readonly run_id: string;
  readonly kinds: readonly RunKind[];
}

/** Which scorers run on a log stream or experiment, and how. */
export class MetricSettingsService {
  readonly #deps: MetricSettingsDeps;

  constructor(deps: MetricSettingsDeps) {
    this.#deps = deps;
  }

  async get(caller: Caller, of: SettingsOf): Promise<MetricSettingsView> {
    await this.#deps.authorizer.authorize(caller, 'project', of.project_id, 'read');
    await this.#refuseOtherRuns(of);
    const settings = await this.#deps.metricSettingsStore.find(of.project_id, of.run_id);
    if (!settings) throw notFound(of);
    return this.#view(of.project_id, settings);
  }

  /**
   * Replaces the lists that are given. A scorer that stays enabled keeps the timestamp since when it scores, and whose
   * integrations it uses unless its entry changes.
   */
  async update(caller: Caller, of: SettingsOf, update: MetricSettingsUpdate): Promise<MetricSettingsView> {
    const { metricSettingsStore, authorizer, auditTrail, transactions } = this.#deps;
    const { project_id, run_id } = of;
    await authorizer.authorize(caller, 'project', project_id, 'set_metric');
    await this.#refuseOtherRuns(of);
    refuseManyValues(update);
    const planned = update.scorers ? await this.#plan(update.scorers) : undefined;
    const settings = await transactions.run(async () => {
      let gone: readonly StoredEntry[] = [];
      let previous: readonly StoredEntry[] = [];
      const replaced = await metricSettingsStore.replace(project_id, run_id, (before, now) => {
        const scorers = planned
          ? planned.map((entry) => enabled(entry, before, { at: now, by: caller.user_id }))
          : before.scorers;
        previous = before.scorers;
        gone = before.scorers.filter(({ id }) => !scorers.some((entry) => entry.id === id));
        return { scorers, segment_filters: update.segment_filters ?? before.segment_filters };
      });
      if (!replaced) throw notFound(of);
      await this.#forgetJobs(of, gone, replaced);
      const counts = { scorers: replaced.scorers.length, segment_filters: replaced.segment_filters.length };
      const details = { run_id, ...counts, ...toEntryChanges(previous, replaced.scorers) };
      await auditTrail.note(caller, { action: 'metric_settings.update', object_kind: 'project', object_id: project_id, details });
      return replaced;
    });
    return this.#view(of.project_id, settings);
  }

  /** Jobs that are for all scorers of the run stay as long as there are any. */
  async #forgetJobs(
    { project_id, run_id }: SettingsOf,
    gone: readonly StoredEntry[],
    { scorers }: MetricSettings,
  ): Promise<void> {
    if (gone.length === 0) return;
    const scorer_ids = gone.map(({ id }) => id);
    await this.#deps.scoringBacklog.removeOfRuns([{ project_id, run_id, ...(scorers.length > 0 && { scorer_ids }) }]);
  }

  async #refuseOtherRuns(of: SettingsOf): Promise<void> {
    const run = await this.#deps.runDirectory.findRun(of.project_id, of.run_id);
    if (!run || !of.kinds.includes(run.kind)) throw notFound(of);
  }

  async #plan(entries: readonly NewScorerEntry[]): Promise<PlannedEntry[]> {
    const scorers = new Map(
      (await this.#deps.scorerStore.findMany(entries.map(({ id }) => id))).map((scorer) => [scorer.id, scorer]),
    );
    const issues: Issue[] = [];
    const planned: PlannedEntry[] = [];
    for (const [index, entry] of entries.entries()) {
      const loc = ['body', 'scorers', index];
      const scorer = scorers.get(entry.id);
      if (!scorer) issues.push({ loc: [...loc, 'id'], msg: `scorer ${entry.id} does not exist`, type: 'scorer_not_found' });
      else if (planned.some(({ id }) => id === scorer.id))
        issues.push({ loc: [...loc, 'id'], msg: 'the scorer is listed twice', type: 'scorer_repeated' });
      else {
        const version = await this.#versionFor(entry, scorer);
        if (version) planned.push(planEntry(entry, scorer, version, this.#deps.scorerKinds));
        issues.push(...(version ? this.#mismatch(planned.at(-1)!, version, loc) : [versionNotFound(scorer, loc)]));
      }
    }
    const circle = findCycle(planned.map(({ id }) => scorers.get(id)!));
    if (circle) issues.push(circular(circle));
    if (issues.length > 0) throw new AppError('invalid', 'metric_settings_invalid', 'metric settings are not valid', { issues });
    return planned;
  }

  /** Asks the kind of scorer for its objections to settings of the entry that replace those of the version. */
  #mismatch(entry: PlannedEntry, { kind, definition }: ScorerVersionRecord, loc: Issue['loc']): Issue[] {
    const { scorerKinds } = this.#deps;
    const plugin = scorerKinds.find(kind);
    const found = (plugin && scorerKinds.parse(plugin, { ...definition, ...toOverrides(entry) }).issues) ?? [];
    return found.map(({ path, message }) => ({
      loc: [...loc, ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
      msg: message,
      type: 'scorer_entry_mismatch',
    }));
  }

  /** The pinned version, or the one that would run now. */
  async #versionFor({ scorer_version }: NewScorerEntry, scorer: ScorerRecord): Promise<ScorerVersionRecord | undefined> {
    const id = scorer_version?.id ?? scorer.default_version_id;
    const version = id === null || id === undefined ? undefined : await this.#deps.scorerStore.findVersion(id);
    return version?.scorer_id === scorer.id ? version : undefined;
  }

  async #view(project_id: string, { scorers, segment_filters }: MetricSettings): Promise<MetricSettingsView> {
    const { scorerStore, scorerKinds, suspensionStore } = this.#deps;
    const records = await scorerStore.findMany(scorers.map(({ id }) => id));
    const defaults = new Map(records.map(({ id, default_version_id }) => [id, default_version_id]));
    const versions = scorers.map(({ id, scorer_version_id }) => scorer_version_id ?? defaults.get(id) ?? '');
    const suspended = await suspensionStore.list(project_id, versions.filter(Boolean));
    const views = await entryViews({ scorerStore, scorerKinds }, scorers);
    const suspensionOf = (at: number): SuspensionView | null => {
      const suspension = suspended.find(({ scorer_version_id }) => scorer_version_id === versions[at]);
      return suspension ? suspensionView(suspension) : null;
    };
    const shown = views.map((view, at) => ({ ...view, suspension: suspensionOf(at) }));
    return { scorers: shown, segment_filters: [...segment_filters] };
  }
}

function refuseManyValues({ scorers, segment_filters }: MetricSettingsUpdate): void {
  const ofScorers = (scorers ?? []).flatMap(({ filters }) => filters ?? []);
  const ofSegments = (segment_filters ?? []).flatMap(({ filter }) => filter ?? []);
  const values = [...ofScorers, ...ofSegments].reduce((sum, { value }) => sum + [value].flat().length, 0);
  if (values <= MAX_FILTER_VALUES) return;
  const msg = `filters have at most ${MAX_FILTER_VALUES} values in all`;
  throw new AppError('invalid', 'metric_settings_invalid', msg, { issues: [{ loc: ['body'], msg, type: 'too_many_values' }] });
}

function enabled(
  entry: PlannedEntry,
  { scorers }: MetricSettings,
  now: { readonly at: string; readonly by: string },
): StoredEntry {
  const before = scorers.find(({ id }) => id === entry.id);
  if (!before) return { ...entry, enabled_at: now.at, enabled_by: now.by };
  const { enabled_at, enabled_by = null, ...rest } = before;
  const isUnchanged = canonicalJson(rest) === canonicalJson(entry);
  return { ...entry, enabled_at, enabled_by: isUnchanged ? enabled_by : now.by };
}

const versionNotFound = ({ name }: ScorerRecord, loc: Issue['loc']): Issue => ({
  loc: [...loc, 'scorer_version'],
  msg: `scorer "${name}" has no such version`,
  type: 'scorer_version_not_found',
});

const circular = (names: readonly string[]): Issue => ({
  loc: ['body', 'scorers'],
  msg: `scorers require each other in a circle: ${[...names, names[0]].join(' → ')}`,
  type: 'dependency_cycle',
});

const notFound = ({ project_id, run_id }: SettingsOf): AppError =>
  new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
