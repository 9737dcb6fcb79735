import type { AnnotationQueue, StoredQueue } from '../../../core/annotation/annotation-queue.ts';
import type { AnnotationQueueStore, EndOfItem } from '../../../core/annotation/annotation-queue-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { AnnotationItemTable, AnnotationQueueTable } from '../ratings/rating-tables.ts';

const COUNTED = `
select q.project_id, q.id, q.run_id, q.name, q.template_ids, q.created_by, q.created_at,
  count(*) filter (where i.status = 'pending')::int as num_pending,
  count(*) filter (where i.status = 'done')::int as num_done,
  count(*) filter (where i.status = 'skipped')::int as num_skipped
from annotation_queues q left join annotation_items i on i.project_id = q.project_id and i.queue_id = q.id
where q.project_id = $1 and ($2::uuid is null or q.id = $2)
group by q.project_id, q.id order by q.created_at desc, q.id desc`;

/** The queue is locked: positions are given out one after the other. */
const ADD = `
with queue as (
  select project_id, id, run_id from annotation_queues where project_id = $1 and id = $2 for update
), last as (
  select coalesce(max(position), 0) as position from annotation_items where project_id = $1 and queue_id = $2
), added as (
  insert into annotation_items (project_id, queue_id, record_id, run_id, position, status)
  select queue.project_id, queue.id, given.record_id, queue.run_id, last.position + given.number, 'pending'
  from queue, last, unnest($3::uuid[]) with ordinality as given(record_id, number)
  on conflict (project_id, queue_id, record_id) do nothing
  returning record_id
)
select count(*)::int as added from added`;

const CLAIM = `
update annotation_items set claimed_by = $3, claimed_until = $5
where project_id = $1 and queue_id = $2 and record_id = (
  select record_id from annotation_items
  where project_id = $1 and queue_id = $2 and status = 'pending'
    and (claimed_by is null or claimed_by = $3 or claimed_until <= $4)
  order by (claimed_by is not distinct from $3) desc, position limit 1 for update skip locked
)
returning record_id`;

export class PostgresAnnotationQueueStore implements AnnotationQueueStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insert(queue: StoredQueue): Promise<void> {
    await this.#session.em.insert(AnnotationQueueTable, queue);
  }

  async list(project_id: string): Promise<AnnotationQueue[]> {
    return (await this.#session.sql<AnnotationQueue>(COUNTED, [project_id, null])).map(inUtc);
  }

  async find(project_id: string, id: string): Promise<AnnotationQueue | undefined> {
    const [row] = await this.#session.sql<AnnotationQueue>(COUNTED, [project_id, id]);
    return row && inUtc(row);
  }

  remove(project_id: string, id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const found = await this.#session.em.nativeDelete(AnnotationQueueTable, { project_id, id });
      await this.#session.em.nativeDelete(AnnotationItemTable, { project_id, queue_id: id });
      return found > 0;
    });
  }

  async addItems(project_id: string, queue_id: string, record_ids: readonly string[]): Promise<number> {
    const [row] = await this.#session.sql<{ added: number }>(ADD, [project_id, queue_id, [...new Set(record_ids)]]);
    return row!.added;
  }

  async claim(project_id: string, queue_id: string, annotator_id: string, now: string, until: string) {
    const [row] = await this.#session.sql<{ record_id: string }>(CLAIM, [project_id, queue_id, annotator_id, now, until]);
    return row?.record_id;
  }

  async end(project_id: string, queue_id: string, record_id: string, end: EndOfItem): Promise<boolean> {
    const open = { project_id, queue_id, record_id, status: 'pending' };
    return (await this.#session.em.nativeUpdate(AnnotationItemTable, open, end)) > 0;
  }

  async listDone(project_id: string, queue_id: string, { offset, limit }: Slice): Promise<string[]> {
    const rows = await this.#session.sql<{ record_id: string }>(
      `select record_id from annotation_items where project_id = $1 and queue_id = $2 and status = 'done'
       order by position offset $3 limit $4`,
      [project_id, queue_id, offset, limit],
    );
    return rows.map(({ record_id }) => record_id);
  }
}

const inUtc = (queue: AnnotationQueue): AnnotationQueue => ({
  ...queue,
  created_at: toUtc(queue.created_at) ?? queue.created_at,
});
