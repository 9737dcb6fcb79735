import type { AuditEntry } from '../../access/audit/audit.ts';
import type { AuditQuery, AuditStore } from '../../access/audit/audit-store.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { TemplateFilter } from '../../prompts/template-query.ts';
import { NEWEST_TEMPLATES_FIRST } from '../../prompts/template-query.ts';
import type { TemplateStore } from '../../prompts/template-store.ts';
import type { ScorerStore } from '../../scorers/scorer-store.ts';
import type { EntryChanges } from '../../scores/entry-changes.ts';
import { NO_METRICS, type StoredEntry } from '../../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../scores/metric-settings-store.ts';
import { type ChangesProblem, type TrendChange, toChange } from './trend-change.ts';

export interface KnownChangesDeps {
  readonly auditStore: Pick<AuditStore, 'list'>;
  readonly metricSettingsStore: Pick<MetricSettingsStore, 'find'>;
  readonly scorerStore: Pick<ScorerStore, 'findMany' | 'findVersion'>;
  readonly templateStore: Pick<TemplateStore, 'list'>;
  readonly authorizer: Pick<Authorizer, 'visible'>;
}

export interface RunTime {
  readonly project_id: string;
  readonly run_id: string;
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

interface Known {
  readonly changes: readonly TrendChange[];
  readonly problems: readonly ChangesProblem[];
}

/** Lines of the audit log that are read for each sort of change: the newest. */
const MAX_LINES = 500;
const OF_SCORERS = ['scorer.update', 'scorer_version.create'];
/** A prompt that is new is no change of one. */
const OF_PROMPTS = ['template.add_version', 'template.select_version', 'template.move_label'];

/** Changes that somebody made to what is scored and how, and to prompts, as the audit log has them. */
export class KnownChanges {
  readonly #deps: KnownChangesDeps;

  constructor(deps: KnownChangesDeps) {
    this.#deps = deps;
  }

  /** In no order. Prompts are those that the caller sees. */
  async read(caller: Caller, time: RunTime): Promise<Known> {
    const { metricSettingsStore } = this.#deps;
    const { scorers } = (await metricSettingsStore.find(time.project_id, time.run_id)) ?? NO_METRICS;
    const [settings, prices, prompts] = await Promise.all([
      this.#lines(time, { action: 'metric_settings.update', object_kind: 'project', object_id: time.project_id }),
      this.#priceLines(time),
      this.#lines(time, { action: OF_PROMPTS, object_kind: 'template' }),
    ]);
    const own = settings.filter(({ details }) => details.run_id === time.run_id);
    const ids = [...new Set([...scorers.map(({ id }) => id), ...own.flatMap(({ details }) => listScorers(details))])];
    const versions =
      ids.length === 0 ? [] : await this.#lines(time, { action: OF_SCORERS, object_kind: 'scorer', object_id: ids });
    const names = await this.#findNames(ids, scorers);
    const changes = [
      ...(await Promise.all(own.map((line) => this.#toSettingsChanges(line, names)))).flat(),
      ...scorers.filter((entry) => isWithin(time, entry) && !isNoted(entry, own)).map((entry) => toEnabled(entry, names)),
      ...versions.flatMap((line) => toVersionChange(line, names, scorers)),
      ...(await this.#toPromptChanges(caller, prompts)),
      ...prices.map(({ at }) => toChange({ kind: 'prices', at, text: 'Prices of models were set', metric_name: 'cost' })),
    ];
    const isFull = [settings, versions, prompts, prices].some((lines) => lines.length >= MAX_LINES);
    return { changes, problems: isFull ? [TOO_MANY] : [] };
  }

  #lines({ from, to }: RunTime, query: AuditQuery): Promise<AuditEntry[]> {
    return this.#deps.auditStore.list({ ...query, from, to }, { offset: 0, limit: MAX_LINES });
  }

  async #priceLines(time: RunTime): Promise<AuditEntry[]> {
    const action = 'model_prices.set';
    return [
      ...(await this.#lines(time, { action, object_kind: 'project', object_id: time.project_id })),
      ...(await this.#lines(time, { action, object_kind: 'organization' })),
    ];
  }

  /** Names of the metrics: as the scorers are called in the run, else as they are called by themselves. */
  async #findNames(ids: readonly string[], entries: readonly StoredEntry[]): Promise<ReadonlyMap<string, string>> {
    const scorers = ids.length === 0 ? [] : await this.#deps.scorerStore.findMany(ids);
    return new Map([...scorers, ...entries].map(({ id, name }) => [id, name]));
  }

  async #toSettingsChanges({ at, details }: AuditEntry, names: ReadonlyMap<string, string>): Promise<TrendChange[]> {
    const { enabled, disabled, changed, versions } = details as EntryChanges;
    const pinned = toList(versions).map((pair) => pair.split(':') as [string, string]);
    const isPinned = new Set(pinned.map(([id]) => id));
    const other = toList(changed).filter((id) => !isPinned.has(id));
    return [
      ...toList(enabled).map((id) => toEnabled({ id, enabled_at: at }, names)),
      ...toList(disabled).map((id) => ofScorer(names, id, 'scorer_disabled', at, 'disabled')),
      ...other.map((id) => ofScorer(names, id, 'scorer_settings', at, 'settings changed')),
      ...(await Promise.all(pinned.map(([id, version]) => this.#toPinned(names, id, version, at)))),
    ];
  }

  async #toPinned(names: ReadonlyMap<string, string>, id: string, version_id: string, at: string): Promise<TrendChange> {
    const version = version_id === '' ? undefined : await this.#deps.scorerStore.findVersion(version_id);
    const text = version ? `version ${version.version}` : 'its default version';
    return { ...ofScorer(names, id, 'scorer_version', at, text), version: version?.version ?? null };
  }

  async #toPromptChanges(caller: Caller, lines: readonly AuditEntry[]): Promise<TrendChange[]> {
    const ids = [...new Set(lines.flatMap(({ object_id }) => object_id ?? []))];
    if (ids.length === 0) return [];
    const { filters } = await this.#deps.authorizer.visible(caller, 'template');
    const these: TemplateFilter = { family: 'id', name: 'id', operator: 'one_of', values: ids };
    const seen = await this.#deps.templateStore.list([these, ...filters], NEWEST_TEMPLATES_FIRST);
    const names = new Map(seen.map(({ id, name }) => [id, name]));
    return lines.flatMap((line) => (names.has(line.object_id!) ? [toPromptChange(line, names.get(line.object_id!)!)] : []));
  }
}

const TOO_MANY = {
  code: 'too_many_changes',
  message: `more than ${MAX_LINES} changes of a sort in this time: only the newest are looked at`,
};

const toList = (ids: string | undefined): string[] => (ids ? ids.split(' ') : []);

const listScorers = (details: AuditEntry['details']): string[] => {
  const { enabled, disabled, changed } = details as EntryChanges;
  return [enabled, disabled, changed].flatMap(toList);
};

const isWithin = ({ from, to }: RunTime, { enabled_at }: StoredEntry): boolean =>
  Date.parse(enabled_at) >= Date.parse(from) && Date.parse(enabled_at) < Date.parse(to);

/** Lines of before did not say which scorers they enabled; an entry knows since when it is there. */
const isNoted = ({ id }: StoredEntry, lines: readonly AuditEntry[]): boolean =>
  lines.some(({ details }) => toList((details as EntryChanges).enabled).includes(id));

function ofScorer(
  names: ReadonlyMap<string, string>,
  id: string,
  kind: TrendChange['kind'],
  at: string,
  what: string,
): TrendChange {
  const metric_name = names.get(id) ?? null;
  return toChange({ kind, at, text: `Scorer ${metric_name ?? id}: ${what}`, scorer_id: id, metric_name });
}

const toEnabled = ({ id, enabled_at }: Pick<StoredEntry, 'id' | 'enabled_at'>, names: ReadonlyMap<string, string>): TrendChange =>
  ofScorer(names, id, 'scorer_enabled', enabled_at, 'enabled');

/** A scorer runs its default version, unless another is pinned in the run; the first version is the default one at once. */
function toVersionChange(
  { at, action, object_id, details }: AuditEntry,
  names: ReadonlyMap<string, string>,
  entries: readonly StoredEntry[],
): TrendChange[] {
  const { version, default_version, fields } = details;
  const isPinned = entries.some(({ id, scorer_version_id }) => id === object_id && scorer_version_id !== null);
  const isDefault = action === 'scorer.update' ? toList(String(fields)).includes('default_version_id') : version === 1;
  if (isPinned || !isDefault) return [];
  const number = action === 'scorer.update' ? default_version : version;
  const text = typeof number === 'number' ? `version ${number}` : 'another version';
  const change = ofScorer(names, object_id!, 'scorer_version', at, text);
  return [{ ...change, version: typeof number === 'number' ? number : null }];
}

function toPromptChange({ at, action, object_id, details }: AuditEntry, name: string): TrendChange {
  const template_id = object_id;
  if (action !== 'template.move_label') {
    const version = Number(details.version);
    return toChange({ kind: 'prompt_version', at, text: `Prompt ${name}: version ${version}`, template_id, version });
  }
  const label = String(details.label);
  const version = typeof details.to_version === 'number' ? details.to_version : null;
  const text = `Prompt ${name}: ${label} ${version === null ? 'taken off' : `on version ${version}`}`;
  return toChange({ kind: 'prompt_label', at, text, template_id, label, version });
}
