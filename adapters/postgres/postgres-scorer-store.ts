import { AppError } from '../../core/kernel/errors.ts';
import type { PageRequest } from '../../core/kernel/page.ts';
import type { Sort } from '../../core/kernel/sort.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../../core/scorers/scorer.ts';
import type { ScorerListFilter, ScorerStore } from '../../core/scorers/scorer-store.ts';
import { plain } from './columns.ts';
import { conditionOf, orderOf, Parameters, sliceOf } from './filter-sql.ts';
import type { PostgresSession } from './postgres-session.ts';
import { ScorerTable, ScorerVersionTable } from './scorer-tables.ts';
import { refusingDuplicates } from './violations.ts';

const COLUMNS = {
  id: 'id',
  name: 'name',
  label: 'name',
  scorer_type: 'scorer_type',
  model_type: 'model_type',
  tags: 'array(select jsonb_array_elements_text(tags))',
  creator: 'created_by',
  created_at: 'created_at',
  updated_at: 'updated_at',
} as const;

export class PostgresScorerStore implements ScorerStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insert(scorer: ScorerRecord): Promise<void> {
    const row = { ...scorer, ...mutable(scorer) };
    await refusingDuplicates('scorer_exists', `a ${scorer.scorer_type} scorer is named "${scorer.name}" already`, () =>
      this.#session.em.insert(ScorerTable, row),
    );
  }

  async find(id: string): Promise<ScorerRecord | undefined> {
    const row = await this.#session.em.findOne(ScorerTable, { id });
    return row ? plain<ScorerRecord>(row) : undefined;
  }

  async findMany(ids: readonly string[]): Promise<ScorerRecord[]> {
    const rows = await this.#session.em.find(ScorerTable, { id: { $in: [...ids] } });
    return rows.map((row) => plain<ScorerRecord>(row));
  }

  async list(
    filters: readonly ScorerListFilter[],
    sort: Sort<'name'>,
    { starting_token, limit }: PageRequest,
  ): Promise<ScorerRecord[]> {
    const parameters = new Parameters();
    const where = conditionOf(filters, COLUMNS, parameters);
    const order = orderOf(sort, { name: 'name collate "C"' }, 'id');
    const slice = sliceOf({ offset: starting_token, limit: limit + 1 }, parameters);
    const found = await this.#session.sql<{ id: string }>(
      `select id from scorers where ${where} order by ${order} ${slice}`,
      parameters.values,
    );
    const scorers = new Map((await this.findMany(found.map(({ id }) => id))).map((scorer) => [scorer.id, scorer]));
    return found.flatMap(({ id }) => scorers.get(id) ?? []);
  }

  async setDefaultVersion(id: string, version_id: string, updated_at: string): Promise<void> {
    await this.#session.em.nativeUpdate(ScorerTable, { id }, { default_version_id: version_id, updated_at });
  }

  insertVersion(version: Omit<ScorerVersionRecord, 'version'>): Promise<ScorerVersionRecord> {
    return this.#session.run(async () => {
      const { scorer_id } = version;
      const [scorer] = await this.#session.sql('select id from scorers where id = $1 for update', [scorer_id]);
      if (!scorer) throw new AppError('not_found', 'scorer_not_found', `scorer ${scorer_id} does not exist`);
      const latest = await this.findVersionOf(scorer_id);
      const numbered: ScorerVersionRecord = { ...version, version: (latest?.version ?? 0) + 1 };
      const { scoreable_node_types } = numbered;
      await this.#session.em.insert(ScorerVersionTable, {
        ...numbered,
        scoreable_node_types: scoreable_node_types && [...scoreable_node_types],
      });
      return numbered;
    });
  }

  async findVersion(id: string): Promise<ScorerVersionRecord | undefined> {
    const row = await this.#session.em.findOne(ScorerVersionTable, { id });
    return row ? plain<ScorerVersionRecord>(row) : undefined;
  }

  async findVersionOf(scorer_id: string, version?: number): Promise<ScorerVersionRecord | undefined> {
    const [row] = await this.#session.em.find(
      ScorerVersionTable,
      { scorer_id, ...(version === undefined ? {} : { version }) },
      { orderBy: { version: 'desc' }, limit: 1 },
    );
    return row ? plain<ScorerVersionRecord>(row) : undefined;
  }

  async latestVersions(scorer_ids: readonly string[]): Promise<ScorerVersionRecord[]> {
    const latest = await this.#session.sql<{ id: string }>(
      'select distinct on (scorer_id) id from scorer_versions where scorer_id = any($1::uuid[]) order by scorer_id, version desc',
      [scorer_ids],
    );
    const rows = await this.#session.em.find(ScorerVersionTable, { id: { $in: latest.map(({ id }) => id) } });
    return rows.map((row) => plain<ScorerVersionRecord>(row));
  }
}

/** The mapper's types ask for arrays it may change; it does not. */
const mutable = ({ tags, scoreable_node_types, required_scorers }: ScorerRecord) => ({
  tags: [...tags],
  scoreable_node_types: scoreable_node_types && [...scoreable_node_types],
  required_scorers: required_scorers && [...required_scorers],
});
