import { Migration } from '@mikro-orm/migrations';

/** Log records of spans, which arrive before or after them. */
export class SpanLogs extends Migration {
  override name = 'm0005-span-logs';

  override up(): void {
    this.addSql(`
create table if not exists span_logs (
  project_id uuid not null,
  run_id uuid not null,
  span_id uuid not null,
  id uuid not null,
  place text not null,
  log text not null,
  size int not null,
  received_at timestamptz(6) not null,
  primary key (project_id, run_id, span_id, id)
);
create index if not exists span_logs_received_index on span_logs (received_at)`);
  }
}
