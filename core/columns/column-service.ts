import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { CommentStore } from '../comments/comment-store.ts';
import { knownRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import type { RunIds } from '../projects/run-ids.ts';
import type { RatingStore } from '../ratings/rating-store.ts';
import type { ScorerKinds } from '../scorers/kinds/scorer-kinds.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import { entryViews } from '../scorers/settings/entry-views.ts';
import { listMetricKeys } from '../scorers/validation/metric-key.ts';
import { toAgreementColumnId } from '../scores/agreement-column.ts';
import type { MetricSettingsStore } from '../scores/metric-settings-store.ts';
import { COMMON_FIELD_NAMES, commonField } from '../traces/catalogue/record-fields.ts';
import { isSystemMetric } from '../traces/catalogue/system-metrics.ts';
import { isOfLevel } from '../traces/columns/column.ts';
import type { ColumnStore, RunWindow } from '../traces/columns/column-store.ts';
import type { SessionStore } from '../traces/sessions/session-store.ts';
import type { AvailableColumnsQuery, ColumnDescriptor, MetricsTestingColumnsQuery } from './available-columns.ts';
import {
  agreementColumns,
  commentColumn,
  type ObservedById,
  observedById,
  ownColumns,
  ratingColumns,
  scorerColumn,
  standardColumns,
  systemMetrics,
  testedColumn,
  type Undecided,
} from './column-descriptors.ts';
import { sessionColumns } from './session-columns.ts';

export interface ColumnDeps {
  readonly columnStore: ColumnStore;
  readonly sessionStore: SessionStore;
  readonly ratingStore: RatingStore;
  readonly commentStore: Pick<CommentStore, 'list'>;
  readonly runDirectory: RunDirectory;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly scorerStore: ScorerStore;
  readonly scorerKinds: ScorerKinds;
  readonly authorizer: Authorizer;
}

type Tested = Pick<MetricsTestingColumnsQuery, 'name' | 'output_type' | 'metric_key'>;
type Columns = Promise<{ columns: ColumnDescriptor[] }>;

/** Which columns the records of a run have. */
export class ColumnService {
  readonly #deps: ColumnDeps;

  constructor(deps: ColumnDeps) {
    this.#deps = deps;
  }

  /** Of a list of traces all columns of the run are told, since their spans come with them; else those of the level. */
  async list(caller: Caller, project_id: string, level: 'trace' | 'span' | 'session', query: AvailableColumnsQuery): Columns {
    const window = await this.#window(caller, project_id, query, query);
    const [columns, comments, ratings] = await Promise.all([
      this.#columns(window),
      this.#comments(window),
      this.#ratings(window, level),
    ]);
    if (level === 'session')
      return { columns: [...(await this.#ofSessions(window, columns)), comments, ...ratings.map(asOfSessions)] };
    const own = columns.filter(({ applicable_types }) => level === 'trace' || isOfLevel(applicable_types, level));
    return { columns: [...own, comments, ...ratings] };
  }

  /** The columns of a run, and the metric that is tried in it. */
  async listTested(caller: Caller, project_id: string, query: MetricsTestingColumnsQuery): Columns {
    const window = await this.#window(caller, project_id, query, {});
    const [columns, comments, ratings] = await Promise.all([
      this.#columns(window, query),
      this.#comments(window),
      this.#ratings(window, 'trace'),
    ]);
    return { columns: [...columns, comments, ...ratings] };
  }

  async #comments({ project_id, run_id }: RunWindow): Promise<ColumnDescriptor> {
    const ofRun = { project_id, run_id, record_id: undefined };
    return commentColumn((await this.#deps.commentStore.list(ofRun, { offset: 0, limit: 1 })).length === 0);
  }

  async #ratings(window: RunWindow, level: 'trace' | 'span' | 'session'): Promise<ColumnDescriptor[]> {
    const { columnStore, ratingStore } = this.#deps;
    const [rated, templates] = await Promise.all([
      columnStore.rated(window, level === 'session' ? 'sessions' : 'records'),
      ratingStore.listTemplates(window.project_id),
    ]);
    return ratingColumns(rated, templates);
  }

  /** Scores of sessions are shown with them, not searched by. */
  async #ofSessions(window: RunWindow, columns: readonly ColumnDescriptor[]): Promise<ColumnDescriptor[]> {
    const own = await sessionColumns(this.#deps.sessionStore, window);
    const scorers = columns.filter(
      ({ scorer_config, applicable_types }) => scorer_config && applicable_types.includes('session'),
    );
    const shown = scorers.map((column) => ({ ...column, is_empty: true, sortable: false, filterable: false }));
    const at = own.findIndex(({ category }) => category !== 'standard');
    return own.toSpliced(at < 0 ? own.length : at, 0, ...shown);
  }

  async #columns(window: RunWindow, tested?: Tested): Promise<ColumnDescriptor[]> {
    const { project_id, run_id } = window;
    const { columnStore, metricSettingsStore } = this.#deps;
    const [sightings, settings] = await Promise.all([
      columnStore.seen(project_id, run_id),
      metricSettingsStore.find(project_id, run_id),
    ]);
    const seen = observedById(sightings);
    const views = await entryViews(this.#deps, settings?.scorers ?? []);
    const entries = views.filter(({ name }) => name !== tested?.name && !isSystemMetric(name));
    const names = [...entries.map(({ name }) => name), ...(tested ? this.#names(tested) : [])];
    const examples = await columnStore.scored(window, names);
    const scorers = entries.flatMap((entry) => [scorerColumn(entry, examples.get(entry.name)), ...agreementColumns(entry)]);
    const columns = toColumns(seen, tested ? [...scorers, this.#columnOfTested(tested, examples)] : scorers);
    const filled = await columnStore.filled(window, probed(seen, columns));
    for (const name of examples.keys()) filled.add(`metrics/${name}`).add(toAgreementColumnId(name));
    return columns.map((column) => ({ ...column, is_empty: !filled.has(column.id) }));
  }

  /** Names that scores of a metric under test may have: its own, else one that trials give to whatever is tried in them. */
  #names({ name, metric_key }: Tested): string[] {
    return [...new Set([name, ...(metric_key ? [metric_key] : []), ...listMetricKeys(this.#deps.scorerKinds)])];
  }

  /** Under the id that its scores are found by, and the name that the caller knows. */
  #columnOfTested(tested: Tested, examples: ReadonlyMap<string, unknown>): Undecided {
    const name = this.#names(tested).find((one) => examples.has(one)) ?? tested.name;
    return { ...testedColumn(name, tested.output_type), label: tested.name };
  }

  async #window(
    caller: Caller,
    project_id: string,
    ids: RunIds,
    { start_time, end_time }: Partial<Pick<AvailableColumnsQuery, 'start_time' | 'end_time'>>,
  ): Promise<RunWindow> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, ids);
    return { project_id, run_id, start_time: start_time ?? undefined, end_time: end_time ?? undefined };
  }
}

/** Sessions are ordered by ratings that are numbers, or yes and no. */
const asOfSessions = (column: ColumnDescriptor): ColumnDescriptor => ({
  ...column,
  sortable: column.data_type === 'boolean' || column.data_type === 'floating_point',
});

/** Every id once: what scorers say goes before what came with records. */
function toColumns(seen: ObservedById, scorers: readonly Undecided[]): Undecided[] {
  const told = new Set(scorers.map(({ id }) => id));
  const system = systemMetrics(seen);
  const isSystem = new Set(system.map(({ id }) => id));
  return [
    ...standardColumns(),
    ...system.filter(({ id }) => !told.has(id)),
    ...ownColumns('metrics', seen).filter(({ id }) => !isSystem.has(id) && !told.has(id)),
    ...scorers,
    ...ownColumns('user_metadata', seen),
    ...ownColumns('dataset_metadata', seen),
  ];
}

/** Columns every record has. */
const always = COMMON_FIELD_NAMES.filter((name) => commonField(name).column?.is_noted === undefined);
const ALWAYS = new Set<string>(always.filter((name) => commonField(name).column?.of !== 'spans'));
const ALWAYS_IN_SPANS = new Set<string>(always.filter((name) => commonField(name).column?.of === 'spans'));

/** Lists the columns to probe: one that was never observed need not be looked for. */
function probed(known: ObservedById, columns: readonly { readonly id: string }[]): string[] {
  const hasSpans = known.values().some((sightings) => sightings.some(({ type }) => type !== 'trace'));
  return columns
    .map(({ id }) => id)
    .filter((id) => known.has(id) || (ALWAYS.has(id) && known.has('id')) || (ALWAYS_IN_SPANS.has(id) && hasSpans));
}
