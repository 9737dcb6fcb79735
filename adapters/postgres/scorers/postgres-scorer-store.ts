import { sql } from 'kysely';
import { AppError } from '../../../core/kernel/errors.ts';
import type { PageRequest, Slice } from '../../../core/kernel/query/page.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../../../core/scorers/scorer.ts';
import type { ScorerListFilter, ScorerOrder } from '../../../core/scorers/scorer-query.ts';
import type { ScorerChanges, ScorerStore } from '../../../core/scorers/scorer-store.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, decodeText, encodeJson, encodeText } from '../database/text-codec.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { toSqlCondition } from '../traces/filter-sql.ts';
import { ScorerTable, ScorerVersionTable } from './scorer-tables.ts';

const COLUMNS = {
  id: sql`id`,
  name: sql`name`,
  label: sql`label`,
  scorer_type: sql`scorer_type`,
  model_type: sql`model_type`,
  tags: sql`tags`,
  creator: sql`created_by`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
};

export class PostgresScorerStore implements ScorerStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insert(scorer: ScorerRecord): Promise<void> {
    await refusingDuplicates('scorer_exists', `a ${scorer.scorer_type} scorer is named "${scorer.name}" already`, () =>
      this.#session.em.insert(ScorerTable, toRow(scorer)),
    );
  }

  async find(id: string): Promise<ScorerRecord | undefined> {
    const row = await this.#session.em.findOne(ScorerTable, { id }, FRESH);
    return row ? getScorer(row) : undefined;
  }

  async findMany(ids: readonly string[]): Promise<ScorerRecord[]> {
    const rows = await this.#session.em.find(ScorerTable, { id: { $in: [...ids] } }, FRESH);
    return rows.map(getScorer);
  }

  /** Names by code point break ties, and equal ones the id. */
  async list(
    filters: readonly ScorerListFilter[],
    order: ScorerOrder,
    { starting_token, limit }: PageRequest,
  ): Promise<ScorerRecord[]> {
    const direction = order.ascending ? 'asc' : 'desc';
    const wanted = this.#session.db.selectFrom('scorers').select('id').where(toSqlCondition(filters, COLUMNS));
    const found = await (order.name === 'name' ? wanted : wanted.orderBy(sql`id = any(${order.enabled}::uuid[])`, direction))
      .orderBy(sql`name collate "C"`, order.name === 'name' ? direction : 'asc')
      .orderBy('id')
      .limit(limit + 1)
      .offset(starting_token)
      .execute();
    const scorers = new Map((await this.findMany(found.map(({ id }) => id))).map((scorer) => [scorer.id, scorer]));
    return found.flatMap(({ id }) => scorers.get(id) ?? []);
  }

  async update(id: string, changes: ScorerChanges): Promise<ScorerRecord | undefined> {
    const { name } = changes;
    await refusingDuplicates('scorer_exists', `another scorer of the type is named "${name}" already`, () =>
      this.#session.em.nativeUpdate(ScorerTable, { id }, changedColumns(changes)),
    );
    return this.find(id);
  }

  remove(id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const removed = await this.#session.em.nativeDelete(ScorerTable, { id });
      await this.#session.em.nativeDelete(ScorerVersionTable, { scorer_id: id });
      return removed > 0;
    });
  }

  async tags(): Promise<string[]> {
    const rows = await this.#session.sql<{ tag: string }>(
      'select tag from (select distinct jsonb_array_elements_text(tags) as tag from scorers) t order by tag collate "C"',
    );
    return rows.map(({ tag }) => tag);
  }

  insertVersion(version: Omit<ScorerVersionRecord, 'version'>): Promise<ScorerVersionRecord> {
    return this.#session.run(async () => {
      const { scorer_id } = version;
      const [scorer] = await this.#session.sql('select id from scorers where id = $1 for update', [scorer_id]);
      if (!scorer) throw new AppError('not_found', 'scorer_not_found', `scorer ${scorer_id} does not exist`);
      const latest = await this.findVersionOf(scorer_id);
      const numbered: ScorerVersionRecord = { ...version, version: (latest?.version ?? 0) + 1 };
      const { definition, scoreable_node_types, calibration } = numbered;
      await this.#session.em.insert(ScorerVersionTable, {
        ...numbered,
        definition: encodeJson(definition) as Record<string, unknown>,
        scoreable_node_types: scoreable_node_types && [...scoreable_node_types],
        calibration: calibration && (encodeJson(calibration) as typeof calibration),
      });
      return numbered;
    });
  }

  async findVersion(id: string): Promise<ScorerVersionRecord | undefined> {
    const row = await this.#session.em.findOne(ScorerVersionTable, { id });
    return row ? getVersion(row) : undefined;
  }

  async findVersionOf(scorer_id: string, version?: number): Promise<ScorerVersionRecord | undefined> {
    const [row] = await this.#session.em.find(
      ScorerVersionTable,
      { scorer_id, ...(version === undefined ? {} : { version }) },
      { orderBy: { version: 'desc' }, limit: 1 },
    );
    return row ? getVersion(row) : undefined;
  }

  async listVersions(scorer_id: string, { offset, limit }: Slice, ids?: readonly string[]): Promise<ScorerVersionRecord[]> {
    const where = { scorer_id, ...(ids && { id: { $in: [...ids] } }) };
    const rows = await this.#session.em.find(ScorerVersionTable, where, { orderBy: { version: 'desc' }, offset, limit });
    return rows.map(getVersion);
  }

  async latestVersions(scorer_ids: readonly string[]): Promise<ScorerVersionRecord[]> {
    const latest = await this.#session.sql<{ id: string }>(
      'select distinct on (scorer_id) id from scorer_versions where scorer_id = any($1::uuid[]) order by scorer_id, version desc',
      [scorer_ids],
    );
    const rows = await this.#session.em.find(ScorerVersionTable, { id: { $in: latest.map(({ id }) => id) } });
    return rows.map(getVersion);
  }
}

/** As stored. The mapper's types ask for arrays it may change; it does not. */
const toRow = (scorer: ScorerRecord) => ({
  ...scorer,
  tags: [...scorer.tags],
  scoreable_node_types: scorer.scoreable_node_types && [...scorer.scoreable_node_types],
  required_scorers: scorer.required_scorers && [...scorer.required_scorers],
  multimodal_capabilities: scorer.multimodal_capabilities && [...scorer.multimodal_capabilities],
  defaults: scorer.defaults && (encodeJson(scorer.defaults) as typeof scorer.defaults),
  user_prompt: scorer.user_prompt && encodeText(scorer.user_prompt),
});

const JSON_COLUMNS = ['tags', 'scoreable_node_types', 'required_scorers', 'multimodal_capabilities', 'defaults'] as const;

/** An update by statement wants JSON as text where an insert takes it as it is. */
function changedColumns({ user_prompt, ...changes }: ScorerChanges) {
  const encoded = JSON_COLUMNS.filter((name) => name in changes).map((name) => [name, encodeJson(changes[name] ?? null)]);
  const prompt = user_prompt === undefined ? {} : { user_prompt: user_prompt && encodeText(user_prompt) };
  return { ...changes, ...Object.fromEntries(encoded), ...prompt };
}

function getScorer(row: object): ScorerRecord {
  const { defaults, user_prompt, ...scorer } = plain<ScorerRecord>(row);
  return {
    ...scorer,
    defaults: defaults && (decodeJson(defaults) as typeof defaults),
    user_prompt: user_prompt && decodeText(user_prompt),
  };
}

function getVersion(row: object): ScorerVersionRecord {
  const { definition, calibration, ...version } = plain<ScorerVersionRecord>(row);
  return {
    ...version,
    definition: decodeJson(definition) as typeof definition,
    calibration: calibration && (decodeJson(calibration) as typeof calibration),
  };
}
