import type { AuditEvent } from '../access/audit/audit.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { type PageFields, type PageRequest, toPage } from '../kernel/query/page.ts';
import { PRESET, type ScorerKinds } from './kinds/scorer-kinds.ts';
import { type NewScorer, type ScorerRecord, type ScorerUpdate, type ScorerVersionRecord, scorerNotFound } from './scorer.ts';
import type { ScorerListFilter, ScorerOrder, ScorerSearch } from './scorer-query.ts';
import type { ScorerChanges, ScorerStore } from './scorer-store.ts';
import type { RunWithout, ScorerUse } from './scorer-use.ts';
import { type Scorer, scorerView } from './scorer-view.ts';
import type { BacklogOfRun, ScoringBacklog } from './scoring/scoring-backlog.ts';
import { enabledIn, type RunLookupDeps } from './settings/run-lookup.ts';
import type { VersionGate } from './versions/version-gate.ts';

export interface ScorerDeps extends RunLookupDeps {
  /** Findings about scorers, which go with them. */
  readonly judgeAuditStore: { removeOfScorer(scorer_id: string): Promise<void> };
  readonly scorerStore: ScorerStore;
  readonly scorerKinds: ScorerKinds;
  readonly scorerUse: ScorerUse;
  readonly scoringBacklog: ScoringBacklog;
  readonly versionGate: VersionGate;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Scorers. Everyone in the organisation sees them; who made one, and managers, change it. */
export class ScorerService {
  readonly #deps: ScorerDeps;

  constructor(deps: ScorerDeps) {
    this.#deps = deps;
  }

  async create(caller: Caller, input: NewScorer): Promise<Scorer> {
    const { scorerStore, authorizer, auditTrail, transactions } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'create_object');
    const scorer = this.#toRecord(caller, input);
    await transactions.run(async () => {
      await scorerStore.insert(scorer);
      const { name, scorer_type } = scorer;
      await auditTrail.note(caller, scorerEvent('create', scorer.id, { name, scorer_type }));
    });
    return scorerView(this.#deps.scorerKinds, scorer, undefined, undefined);
  }

  async get(_caller: Caller, id: string): Promise<Scorer> {
    const scorer = await this.#deps.scorerStore.find(id);
    if (!scorer) throw scorerNotFound(id);
    return this.#view(scorer);
  }

  async list(caller: Caller, { filters, sort }: ScorerSearch, wanted: PageRequest): Promise<PageFields & { scorers: Scorer[] }> {
    const order = await this.#computeOrder(caller, sort);
    const known = filters.map((filter) => this.#withKnownTypes(filter));
    const { items, page } = toPage(await this.#deps.scorerStore.list(known, order, wanted), wanted);
    return { ...page, scorers: await this.#views(items) };
  }

  /** Every tag that any scorer has. */
  tags(_caller: Caller): Promise<string[]> {
    return this.#deps.scorerStore.tags();
  }

  /** Absent and null fields stay as they are. Runs in which the scorer is enabled keep the name it has there. */
  async update(caller: Caller, id: string, update: ScorerUpdate): Promise<Scorer> {
    const { scorerStore, auditTrail, transactions } = this.#deps;
    const scorer = await this.#own(caller, id);
    const changes = toChanges(scorer, update);
    const gate = await this.#requireGate(scorer, changes.default_version_id, update.force ?? false);
    const updated = await transactions.run(async () => {
      const after = await scorerStore.update(id, { ...changes, updated_at: this.#now() });
      if (!after) throw scorerNotFound(id);
      const fields = Object.keys(changes).sort().join(' ');
      const version = await this.#findNewDefault(scorer, after);
      const details = { fields, ...(gate === 'forced' && { gate }), ...(version && { default_version: version.version }) };
      await auditTrail.note(caller, scorerEvent('update', id, details));
      return after;
    });
    return this.#view(updated);
  }

  /**
   * Removes the scorer with its versions and takes it out of the settings of every run. What it has said of records stays
   * with them.
   */
  async remove(caller: Caller, id: string): Promise<{ message: string }> {
    const { scorerStore, judgeAuditStore, scorerUse, scoringBacklog, auditTrail, transactions } = this.#deps;
    const scorer = await this.#own(caller, id);
    if (scorer.scorer_type === PRESET)
      throw new AppError('forbidden', 'preset_undeletable', `scorer "${scorer.name}" is a preset, which cannot be deleted`);
    await transactions.run(async () => {
      if (!(await scorerStore.remove(id))) throw scorerNotFound(id);
      await judgeAuditStore.removeOfScorer(id);
      const runs = await scorerUse.disable(id);
      await scoringBacklog.removeOfRuns(runs.map((run) => toBacklog(run, id)));
      const { name, scorer_type } = scorer;
      await auditTrail.note(caller, scorerEvent('delete', id, { name, scorer_type }));
    });
    return { message: `scorer "${scorer.name}" and its versions were deleted` };
  }

  /** Each kind by the type that its scorers are stored with. */
  #withKnownTypes(filter: ScorerListFilter): ScorerListFilter {
    if (filter.name !== 'scorer_type' || filter.family !== 'enum') return filter;
    return { ...filter, values: filter.values.map((type) => this.#deps.scorerKinds.canonicalType(type)) };
  }

  async #own(caller: Caller, id: string): Promise<ScorerRecord> {
    const scorer = await this.#deps.scorerStore.find(id);
    if (!scorer) throw scorerNotFound(id);
    this.#deps.authorizer.authorizeOnOwn(caller, scorer.created_by, 'scorer');
    return scorer;
  }

  async #computeOrder(caller: Caller, sort: ScorerSearch['sort']): Promise<ScorerOrder> {
    if (sort.name === 'name') return sort;
    const { name, ascending, value } = sort;
    return { name, ascending, enabled: (await enabledIn(this.#deps, caller, value)).map(({ id }) => id) };
  }

  /** Rejects when the version is none of the scorer's, or its gate is closed for it and this is not forced. */
  async #requireGate(scorer: ScorerRecord, version_id: string | null | undefined, force: boolean): Promise<'open' | 'forced'> {
    if (!version_id) return 'open';
    await this.#refuseForeignVersion(scorer.id, version_id);
    return this.#deps.versionGate.authorize(scorer, version_id, force);
  }

  async #findNewDefault(before: ScorerRecord, { default_version_id }: ScorerRecord): Promise<ScorerVersionRecord | undefined> {
    if (default_version_id === null || default_version_id === before.default_version_id) return undefined;
    return this.#deps.scorerStore.findVersion(default_version_id);
  }

  async #refuseForeignVersion(scorer_id: string, version_id: string): Promise<void> {
    const version = await this.#deps.scorerStore.findVersion(version_id);
    if (version?.scorer_id === scorer_id) return;
    const msg = `scorer ${scorer_id} has no version ${version_id}`;
    throw new AppError('invalid', 'default_version_unknown', msg, {
      issues: [{ loc: ['body', 'default_version_id'], msg, type: 'default_version_unknown', input: version_id }],
    });
  }

  #toRecord(caller: Caller, input: NewScorer): ScorerRecord {
    const { scorerKinds: kinds } = this.#deps;
    const now = this.#now();
    return {
      id: this.#deps.newId(),
      name: input.name,
      label: input.name,
      scorer_type: kinds.canonicalType(input.scorer_type),
      description: input.description ?? '',
      tags: input.tags ?? [],
      defaults: input.defaults ?? null,
      model_type: input.model_type ?? kinds.findByType(input.scorer_type)?.model_type ?? null,
      ground_truth: input.ground_truth ?? null,
      default_version_id: null,
      user_prompt: input.user_prompt ?? null,
      scoreable_node_types: input.scoreable_node_types ?? null,
      output_type: input.output_type ?? null,
      input_type: input.input_type ?? null,
      required_scorers: input.required_scorers ?? null,
      multimodal_capabilities: input.multimodal_capabilities ?? null,
      roll_up_method: input.roll_up_method ?? null,
      deprecated: false,
      created_by: caller.user_id,
      created_at: now,
      updated_at: now,
    };
  }

  async #view(scorer: ScorerRecord): Promise<Scorer> {
    const [view] = await this.#views([scorer]);
    return view!;
  }

  async #views(scorers: readonly ScorerRecord[]): Promise<Scorer[]> {
    const { scorerStore, scorerKinds } = this.#deps;
    const latest = new Map(
      (await scorerStore.latestVersions(scorers.map(({ id }) => id))).map((version) => [version.scorer_id, version]),
    );
    return Promise.all(
      scorers.map(async (scorer) => {
        const newest = latest.get(scorer.id);
        const isLatest = scorer.default_version_id === null || newest?.id === scorer.default_version_id;
        return scorerView(
          scorerKinds,
          scorer,
          newest,
          isLatest ? newest : await scorerStore.findVersion(scorer.default_version_id!),
        );
      }),
    );
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}

/** Jobs that are for all scorers of the run stay as long as there are any. */
const toBacklog = ({ project_id, run_id, has_others }: RunWithout, scorer_id: string): BacklogOfRun =>
  has_others ? { project_id, run_id, scorer_ids: [scorer_id] } : { project_id, run_id };

/** Converts an update to changes; a changed name changes a label that was equal to it. */
function toChanges(scorer: ScorerRecord, { force: _force, ...update }: ScorerUpdate): Omit<ScorerChanges, 'updated_at'> {
  const given = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null && value !== undefined));
  return update.name && scorer.label === scorer.name ? { ...given, label: update.name } : given;
}

const scorerEvent = (verb: string, id: string, details: AuditEvent['details']): AuditEvent => ({
  action: `scorer.${verb}`,
  object_kind: 'scorer',
  object_id: id,
  details,
});
