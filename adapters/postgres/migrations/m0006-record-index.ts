import { Migration } from '@mikro-orm/migrations';

/** What was written before is put on the list of work, a few hundred records an entry. */
const backfill = `insert into "record_changes" ("project_id", "run_id", "record_ids", "num_traces", "num_spans")
    select project_id, run_id, array_agg(id), count(*) filter (where is_trace), count(*) filter (where not is_trace)
    from (select project_id, run_id, id, is_trace,
            (row_number() over (partition by project_id, run_id order by created_at, id) - 1) / 500 as part from records) numbered
    group by project_id, run_id, part;`;

export class RecordIndexSchema extends Migration {
  override name = 'm0006-record-index';

  override up(): void {
    this.addSql(`create table "record_changes" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "sequence" bigserial not null,
      "record_ids" uuid[] not null,
      "num_traces" int not null,
      "num_spans" int not null,
      primary key ("project_id", "run_id", "sequence")
    );`);
    this.addSql(`create index "record_changes_sequence_index" on "record_changes" ("sequence");`);
    this.addSql(`create table "run_counts" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "num_traces" bigint not null,
      "num_spans" bigint not null,
      primary key ("project_id", "run_id")
    );`);
    this.addSql(`create table "record_numbers" (
      "project_id" uuid not null,
      "record_id" uuid not null,
      "run_id" uuid not null,
      "name" text not null,
      "type" text not null,
      "value" double precision not null,
      "created_at" timestamptz(6) not null,
      primary key ("project_id", "record_id", "run_id", "name")
    );`);
    this.addSql(`create index "record_numbers_time_index" on "record_numbers" ("project_id", "run_id", "name", "created_at");`);
    this.addSql(`create table "hourly_numbers" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "name" text not null,
      "type" text not null,
      "hour" timestamptz(6) not null,
      "count" bigint not null,
      "sum" double precision not null,
      "min" double precision not null,
      "max" double precision not null,
      "sketch" jsonb not null,
      primary key ("project_id", "run_id", "name", "type", "hour")
    );`);
    this.addSql(`create table "record_words" (
      "project_id" uuid not null,
      "record_id" uuid not null,
      "run_id" uuid not null,
      "words" text[] not null,
      primary key ("project_id", "record_id", "run_id")
    );`);
    this.addSql(`create index "record_words_words_index" on "record_words" using gin ("words");`);
    this.addSql(backfill);
  }
}
