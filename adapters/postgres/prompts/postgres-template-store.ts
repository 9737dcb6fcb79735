import { sql } from 'kysely';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { isCleanText } from '../../../core/kernel/text.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import { type StoredTemplate, type StoredTemplateVersion, templateExists } from '../../../core/prompts/template.ts';
import { LATEST, type StoredLabelMove, type TemplateLabelHolder } from '../../../core/prompts/template-label.ts';
import type {
  TemplateFilter,
  TemplateFilterName,
  TemplateSort,
  TemplateVersionSort,
} from '../../../core/prompts/template-query.ts';
import type { FoundVersion, NamedVersion, TemplateChanges, TemplateStore } from '../../../core/prompts/template-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import type { Condition, Fragment } from '../database/sql.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { type Column, inOrder, inSlice, toSqlCondition } from '../traces/filter-sql.ts';
import { TemplateTable, TemplateVersionTable } from './template-tables.ts';

const TEMPLATE = sql<StoredTemplate>`
select t.id, t.name, t.hidden, t.created_by, t.created_at, t.updated_at, to_jsonb(v) as selected,
  (select array_agg(version order by version) from template_versions where template_id = t.id) as versions
from templates t join template_versions v on v.template_id = t.id and v.version = t.selected_version`;

/** Uses in projects that are there. */
const usedIn = (project: Fragment): Condition =>
  sql`exists (select from template_projects u join projects p on p.id = u.project_id
    where u.template_id = t.id and u.project_id = ${project})`;

const COLUMNS: Readonly<Record<TemplateFilterName, Column>> = {
  id: sql`t.id`,
  name: sql`t.name`,
  creator: sql`t.created_by`,
  used_in_project: usedIn,
  not_in_project: (project) => sql`not ${usedIn(project)}`,
};
const ORDER = { name: sql`name collate "C"`, created_at: sql`created_at`, updated_at: sql`updated_at` };
const VERSION_ORDER = { version: 'version', created_at: 'created_at', updated_at: 'created_at' } as const;

const REMOVE_LABEL = 'delete from template_labels where template_id = $1 and label = $2';
const PUT_LABEL = `insert into template_labels (template_id, label, version) values ($1, $2, $3)
on conflict (template_id, label) do update set version = excluded.version`;

export class PostgresTemplateStore implements TemplateStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  insert(template: Omit<StoredTemplate, 'selected' | 'versions'>, first: StoredTemplateVersion): Promise<void> {
    const { id, name, hidden, created_by, created_at, updated_at } = template;
    return this.#session.run(async () => {
      const inserted = await this.#session.sql(
        `insert into templates (id, name, hidden, selected_version, created_by, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
        [id, name, hidden, first.version, created_by, created_at, updated_at],
      );
      if (inserted.length === 0) throw templateExists();
      await this.insertVersion(first);
    });
  }

  async find(id: string): Promise<StoredTemplate | undefined> {
    const rows = await this.#session.rows(sql<StoredTemplate>`${TEMPLATE} where t.id = ${id}`);
    return rows.map(toTemplate)[0];
  }

  async hold(id: string): Promise<StoredTemplate | undefined> {
    await this.#session.sql('select from templates where id = $1 for update', [id]);
    return this.find(id);
  }

  async takenNames(names: readonly string[]): Promise<string[]> {
    const rows = await this.#session.sql<{ name: string }>('select name from templates where name = any($1::text[])', [names]);
    return rows.map(({ name }) => name);
  }

  async list(filters: readonly TemplateFilter[], sort: TemplateSort, slice?: Slice): Promise<StoredTemplate[]> {
    const wanted = sql<StoredTemplate>`(${TEMPLATE} where not t.hidden and ${toSqlCondition(filters, COLUMNS)})`;
    const ordered = this.#session.db
      .selectFrom(wanted.as('t'))
      .selectAll()
      .$call(inOrder(sort, ORDER, 't.id'));
    const rows = await ordered.$call(inSlice(slice)).execute();
    return rows.map(toTemplate);
  }

  async update(id: string, changes: TemplateChanges): Promise<StoredTemplate | undefined> {
    const found = await refusingDuplicates('template_exists', 'a template with this name exists', () =>
      this.#session.em.nativeUpdate(TemplateTable, { id }, { ...changes }),
    );
    return found > 0 ? this.find(id) : undefined;
  }

  remove(id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const found = await this.#session.em.nativeDelete(TemplateTable, { id });
      await this.#session.em.nativeDelete(TemplateVersionTable, { template_id: id });
      for (const table of ['template_projects', 'template_labels', 'template_label_moves'])
        await this.#session.sql(`delete from ${table} where template_id = $1`, [id]);
      return found > 0;
    });
  }

  async insertVersion(version: StoredTemplateVersion): Promise<void> {
    const { template, settings, ...facts } = version;
    await this.#session.sql(
      `insert into template_versions select * from jsonb_populate_record(null::template_versions, $1::jsonb)`,
      [JSON.stringify({ ...facts, template: encodeJson(template), settings: encodeJson(settings) })],
    );
  }

  async findVersion(template_id: string, version: number): Promise<StoredTemplateVersion | undefined> {
    const row = await this.#versions.where('template_id', '=', template_id).where('version', '=', version).executeTakeFirst();
    return row && getVersion(row);
  }

  async findVersionById(id: string): Promise<StoredTemplateVersion | undefined> {
    const row = await this.#versions.where('id', '=', id).executeTakeFirst();
    return row && getVersion(row);
  }

  async listVersions(template_id: string, sort: TemplateVersionSort, slice: Slice): Promise<StoredTemplateVersion[]> {
    const rows = await this.#versions
      .where('template_id', '=', template_id)
      .orderBy(VERSION_ORDER[sort.name], sort.ascending ? 'asc' : 'desc')
      .orderBy('version', 'desc')
      .$call(inSlice(slice))
      .execute();
    return rows.map(getVersion);
  }

  moveLabel({ template_id, label, from_version, to_version, moved_by, moved_at }: StoredLabelMove): Promise<void> {
    return this.#session.run(async () => {
      await this.#session.sql(
        `insert into template_label_moves (template_id, number, label, from_version, to_version, moved_by, moved_at)
         select $1::uuid, coalesce(max(number), 0) + 1, $2, $3::int, $4::int, $5::uuid, $6::timestamptz
         from template_label_moves where template_id = $1::uuid`,
        [template_id, label, from_version, to_version, moved_by, moved_at],
      );
      if (to_version === null) await this.#session.sql(REMOVE_LABEL, [template_id, label]);
      else await this.#session.sql(PUT_LABEL, [template_id, label, to_version]);
    });
  }

  async findNamed(wanted: readonly NamedVersion[]): Promise<FoundVersion[]> {
    // Of others, which the database cannot hold, there is no template and no label.
    const named = wanted.filter((one) => isCleanText(one.name) && isCleanText(one.wanted));
    const found = await this.#session.sql<{ at: number; id: string; template_id: string; version: number }>(
      `select (w.at - 1)::int as at, v.id, t.id as template_id, v.version from unnest($1::text[], $2::text[]) with ordinality as w(name, wanted, at)
       join templates t on t.name = w.name
       cross join lateral (
         select id, version from template_versions where template_id = t.id and version = case
           when w.wanted ~ '^[0-9]{1,9}$' then w.wanted::int
           when w.wanted = $3 then (select max(version) from template_versions where template_id = t.id)
           else (select version from template_labels where template_id = t.id and label = w.wanted)
         end
       ) as v order by w.at`,
      [named.map(({ name }) => name), named.map(({ wanted }) => wanted), LATEST],
    );
    return found.map(({ at, ...version }) => ({ ...named[at]!, ...version }));
  }

  async findNames(ids: readonly string[]): Promise<FoundVersion[]> {
    const found = await this.#session.sql<Omit<FoundVersion, 'wanted'>>(
      `select v.id, v.template_id, v.version, t.name from template_versions v join templates t on t.id = v.template_id where v.id = any($1::uuid[])`,
      [ids],
    );
    return found.map((one) => ({ ...one, wanted: String(one.version) }));
  }

  async listLabels(template_ids: readonly string[]): Promise<TemplateLabelHolder[]> {
    return this.#session.sql<TemplateLabelHolder>(
      `select template_id, label, version from template_labels where template_id = any($1::uuid[])
       order by label collate "C", template_id`,
      [template_ids],
    );
  }

  async findLabel(template_id: string, label: string): Promise<number | undefined> {
    const [found] = await this.#session.sql<{ version: number }>(
      'select version from template_labels where template_id = $1 and label = $2',
      [template_id, label],
    );
    return found?.version;
  }

  async listLabelMoves(template_id: string, { offset, limit }: Slice): Promise<StoredLabelMove[]> {
    const moves = await this.#session.sql<StoredLabelMove>(
      `select template_id, label, from_version, to_version, moved_by, moved_at from template_label_moves
       where template_id = $1 order by number desc offset $2 limit $3`,
      [template_id, offset, limit],
    );
    return moves.map((move) => ({ ...move, moved_at: inUtc(move.moved_at) }));
  }

  async use(template_id: string, project_id: string): Promise<void> {
    await this.#session.sql('insert into template_projects (template_id, project_id) values ($1, $2) on conflict do nothing', [
      template_id,
      project_id,
    ]);
  }

  async isUsedIn(template_id: string, project_id: string): Promise<boolean> {
    const rows = await this.#session.sql(
      'select from template_projects u join projects p on p.id = u.project_id where u.template_id = $1 and u.project_id = $2',
      [template_id, project_id],
    );
    return rows.length > 0;
  }

  get #versions() {
    return this.#session.db.selectFrom('template_versions').selectAll().$castTo<StoredTemplateVersion>();
  }
}

const toTemplate = (row: StoredTemplate): StoredTemplate => ({
  ...row,
  created_at: inUtc(row.created_at),
  updated_at: inUtc(row.updated_at),
  selected: getVersion(row.selected),
});

const getVersion = (row: StoredTemplateVersion): StoredTemplateVersion => ({
  ...row,
  template: decodeJson(row.template) as StoredTemplateVersion['template'],
  settings: decodeJson(row.settings) as StoredTemplateVersion['settings'],
  created_at: inUtc(row.created_at),
});

const inUtc = (moment: string): string => toUtc(moment) ?? moment;
