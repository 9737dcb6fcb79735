import { AppError } from '../../core/kernel/errors.ts';
import type { PageRequest } from '../../core/kernel/page.ts';
import type { Sort } from '../../core/kernel/sort.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../../core/scorers/scorer.ts';
import type { ScorerListFilter, ScorerStore } from '../../core/scorers/scorer-store.ts';
import { plain } from './columns.ts';
import { conditionOf, orderOf, Parameters, sliceOf } from './filter-sql.ts';
import type { PostgresSession } from './postgres-session.ts';
import { ScorerTable, ScorerVersionTable } from './scorer-tables.ts';
import { decodeJson, decodeText, encodeJson, encodeText } from './text-codec.ts';
import { refusingDuplicates } from './violations.ts';

const COLUMNS = {
  id: 'id',
  name: 'name',
  label: 'name',
  scorer_type: 'scorer_type',
  model_type: 'model_type',
  tags: 'tags',
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
    await refusingDuplicates('scorer_exists', `a ${scorer.scorer_type} scorer is named "${scorer.name}" already`, () =>
      this.#session.em.insert(ScorerTable, rowOf(scorer)),
    );
  }

  async find(id: string): Promise<ScorerRecord | undefined> {
    const row = await this.#session.em.findOne(ScorerTable, { id });
    return row ? scorerOf(row) : undefined;
  }

  async findMany(ids: readonly string[]): Promise<ScorerRecord[]> {
    const rows = await this.#session.em.find(ScorerTable, { id: { $in: [...ids] } });
    return rows.map(scorerOf);
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
      const { definition, scoreable_node_types } = numbered;
      await this.#session.em.insert(ScorerVersionTable, {
        ...numbered,
        definition: encodeJson(definition) as Record<string, unknown>,
        scoreable_node_types: scoreable_node_types && [...scoreable_node_types],
      });
      return numbered;
    });
  }

  async findVersion(id: string): Promise<ScorerVersionRecord | undefined> {
    const row = await this.#session.em.findOne(ScorerVersionTable, { id });
    return row ? versionOf(row) : undefined;
  }

  async findVersionOf(scorer_id: string, version?: number): Promise<ScorerVersionRecord | undefined> {
    const [row] = await this.#session.em.find(
      ScorerVersionTable,
      { scorer_id, ...(version === undefined ? {} : { version }) },
      { orderBy: { version: 'desc' }, limit: 1 },
    );
    return row ? versionOf(row) : undefined;
  }

  async latestVersions(scorer_ids: readonly string[]): Promise<ScorerVersionRecord[]> {
    const latest = await this.#session.sql<{ id: string }>(
      'select distinct on (scorer_id) id from scorer_versions where scorer_id = any($1::uuid[]) order by scorer_id, version desc',
      [scorer_ids],
    );
    const rows = await this.#session.em.find(ScorerVersionTable, { id: { $in: latest.map(({ id }) => id) } });
    return rows.map(versionOf);
  }
}

/** As stored. The mapper's types ask for arrays it may change; it does not. */
const rowOf = ({ tags, scoreable_node_types, required_scorers, defaults, user_prompt, ...scorer }: ScorerRecord) => ({
  ...scorer,
  tags: [...tags],
  scoreable_node_types: scoreable_node_types && [...scoreable_node_types],
  required_scorers: required_scorers && [...required_scorers],
  defaults: defaults && (encodeJson(defaults) as typeof defaults),
  user_prompt: user_prompt && encodeText(user_prompt),
});

function scorerOf(row: object): ScorerRecord {
  const { defaults, user_prompt, ...scorer } = plain<ScorerRecord>(row);
  return {
    ...scorer,
    defaults: defaults && (decodeJson(defaults) as typeof defaults),
    user_prompt: user_prompt && decodeText(user_prompt),
  };
}

function versionOf(row: object): ScorerVersionRecord {
  const { definition, ...version } = plain<ScorerVersionRecord>(row);
  return { ...version, definition: decodeJson(definition) as typeof definition };
}
