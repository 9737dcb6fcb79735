import { Migration } from '@mikro-orm/migrations';

/** Ledger of the batches that came with a key. */
export class IngestBatches extends Migration {
  override name = 'm0023-ingest-batches';

  override up(): void {
    this.addSql(`
create table if not exists ingest_batches (
  project_id uuid not null,
  key text not null,
  digest text not null,
  received_at timestamptz(6) not null,
  claimed_at timestamptz(6),
  stored_at timestamptz(6),
  reply text,
  primary key (project_id, key)
);
create index if not exists ingest_batches_received_index on ingest_batches (received_at)`);
  }
}
