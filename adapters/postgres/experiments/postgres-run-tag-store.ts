import { type RunTag, TAG_EXISTS } from '../../../core/experiments/run-tag.ts';
import type { RunTagStore } from '../../../core/experiments/run-tag-store.ts';
import { runNotFound } from '../../../core/projects/run.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { RunTagTable } from './experiment-tables.ts';

const OLDEST_FIRST = { orderBy: { created_at: 'asc', id: 'asc' } } as const;

/** The run is held meanwhile, so that no tag is left behind by a removal under way. */
const PUT = `with held as (select project_id, id from runs where project_id = $1 and id = $2 for key share)
insert into run_tags (project_id, run_id, id, key, value, tag_type, created_by, created_at, updated_at)
select project_id, held.id, $3::uuid, $4, $5, $6, $7::uuid, $8::timestamptz, $9::timestamptz from held
on conflict (project_id, run_id, key) do update
set value = excluded.value, tag_type = excluded.tag_type, updated_at = excluded.updated_at
returning id`;

export class PostgresRunTagStore implements RunTagStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async put(tag: RunTag): Promise<RunTag> {
    const { project_id, run_id, id, key, value, tag_type, created_by, created_at, updated_at } = tag;
    const values = [project_id, run_id, id, key, value, tag_type, created_by, created_at, updated_at];
    const [kept] = await this.#session.sql<{ id: string }>(PUT, values);
    const found = kept && (await this.find(project_id, run_id, kept.id));
    if (!found) throw runNotFound(project_id, run_id);
    return found;
  }

  async find(project_id: string, run_id: string, id: string): Promise<RunTag | undefined> {
    const row = await this.#session.em.findOne(RunTagTable, { project_id, run_id, id }, FRESH);
    return row ? plain<RunTag>(row) : undefined;
  }

  async list(project_id: string, run_ids: readonly string[]): Promise<RunTag[]> {
    const where = { project_id, run_id: { $in: [...run_ids] } };
    return (await this.#session.em.find(RunTagTable, where, { ...FRESH, ...OLDEST_FIRST })).map((row) => plain<RunTag>(row));
  }

  async update(
    project_id: string,
    run_id: string,
    id: string,
    changes: Pick<RunTag, 'key' | 'value' | 'tag_type' | 'updated_at'>,
  ): Promise<RunTag | undefined> {
    const found = await refusingDuplicates('tag_exists', TAG_EXISTS, () =>
      this.#session.em.nativeUpdate(RunTagTable, { project_id, run_id, id }, changes),
    );
    return found > 0 ? this.find(project_id, run_id, id) : undefined;
  }

  async remove(project_id: string, run_id: string, id: string): Promise<boolean> {
    return (await this.#session.em.nativeDelete(RunTagTable, { project_id, run_id, id })) > 0;
  }
}
