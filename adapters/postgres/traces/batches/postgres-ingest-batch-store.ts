import { toUtc } from '../../../../core/kernel/timestamp.ts';
import type {
  BatchClaim,
  BatchKey,
  IngestBatchStore,
  NewBatch,
  StoredBatch,
} from '../../../../core/traces/batches/ingest-batch-store.ts';
import type { PostgresSession } from '../../database/postgres-session.ts';
import { decodeText, encodeText } from '../../database/text-codec.ts';

const COLUMNS = 'key, digest, received_at, stored_at, reply';

/** `$1` project, `$2` key, `$3` digest, `$4` now, `$5` when a claim has lapsed. */
const CLAIM = `
insert into ingest_batches as known (project_id, key, digest, received_at, claimed_at) values ($1, $2, $3, $4, $4)
on conflict (project_id, key) do update set claimed_at = excluded.claimed_at
where known.digest = excluded.digest and known.stored_at is null and coalesce(known.claimed_at < $5, true)
returning received_at`;

const FIND = `select ${COLUMNS} from ingest_batches where project_id = $1 and key = $2`;

const COMPLETE = `
update ingest_batches set stored_at = $3, reply = $4, claimed_at = null where project_id = $1 and key = $2 and stored_at is null`;

const GIVE_UP = 'update ingest_batches set claimed_at = null where project_id = $1 and key = $2 and stored_at is null';

const FORGET = 'delete from ingest_batches where project_id = $1 and key = $2 and stored_at is null';

/** `$1` a time, `$2` how many. */
const REMOVE = `
with old as materialized (
  select project_id, key from ingest_batches where received_at < $1 order by received_at limit $2 for update skip locked
), gone as (
  delete from ingest_batches b using old where (b.project_id, b.key) = (old.project_id, old.key) returning 1
)
select count(*)::int as removed from gone`;

interface Row {
  readonly key: string;
  readonly digest: string;
  readonly received_at: string;
  readonly stored_at: string | null;
  readonly reply: string | null;
}

export class PostgresIngestBatchStore implements IngestBatchStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async claim({ project_id, key, digest, received_at, lapsed_before }: NewBatch): Promise<BatchClaim> {
    for (;;) {
      const [claimed] = await this.#session.sql<Pick<Row, 'received_at'>>(CLAIM, [
        ...[project_id, key, digest],
        ...[received_at, lapsed_before],
      ]);
      if (claimed) return { kind: 'claimed', received_at: toUtc(claimed.received_at)! };
      const batch = await this.find({ project_id, key });
      // Forgotten in between: then it is new.
      if (batch) return { kind: 'known', batch };
    }
  }

  async complete({ project_id, key }: BatchKey, reply: Readonly<Record<string, unknown>>, stored_at: string): Promise<void> {
    await this.#session.sql(COMPLETE, [project_id, key, stored_at, encodeText(JSON.stringify(reply))]);
  }

  async giveUp({ project_id, key }: BatchKey): Promise<void> {
    await this.#session.sql(GIVE_UP, [project_id, key]);
  }

  async forget({ project_id, key }: BatchKey): Promise<void> {
    await this.#session.sql(FORGET, [project_id, key]);
  }

  async find({ project_id, key }: BatchKey): Promise<StoredBatch | undefined> {
    const [row] = await this.#session.sql<Row>(FIND, [project_id, key]);
    return row && { project_id, ...toBatch(row) };
  }

  async removeBefore(time: string, limit: number): Promise<number> {
    const [row] = await this.#session.sql<{ removed: number }>(REMOVE, [time, limit]);
    return row!.removed;
  }
}

const toBatch = ({ key, digest, received_at, stored_at, reply }: Row): Omit<StoredBatch, 'project_id'> => ({
  key,
  digest,
  status: stored_at === null ? 'pending' : 'stored',
  received_at: toUtc(received_at)!,
  stored_at: stored_at === null ? null : toUtc(stored_at)!,
  reply: reply === null ? null : JSON.parse(decodeText(reply)),
});
