import { Migration } from '@mikro-orm/migrations';

/** Everything is indexed anew, a few hundred records an entry; counts stay as they are. */
const reindex = `insert into "record_changes" ("project_id", "run_id", "record_ids", "num_traces", "num_spans")
    select project_id, run_id, array_agg(id), 0, 0
    from (select project_id, run_id, id,
            (row_number() over (partition by project_id, run_id order by created_at, id) - 1) / 500 as part from records) numbered
    group by project_id, run_id, part;`;

/** Not every build of PostgreSQL carries lz4; without it the default compression serves. */
const compressWords = `do $$ begin
      alter table "indexed_records" alter column "words" set compression lz4;
    exception when feature_not_supported then null;
    end $$;`;

/** Words next to each other in blocks instead of under a GIN index, and numbers by value. */
export class CheapRecordIndex extends Migration {
  override name = 'm0014-cheap-record-index';

  override up(): void {
    this.addSql('drop table "record_words";');
    this.addSql('drop table "record_numbers";');
    this.addSql('truncate "hourly_numbers";');
    this.addSql(`create table "indexed_records" (
      "project_id" uuid not null,
      "record_id" uuid not null,
      "run_id" uuid not null,
      "type" text not null,
      "created_at" timestamptz(6) not null,
      "is_error" boolean not null,
      "numbers" text not null,
      "words" text not null,
      "block" bigint not null,
      primary key ("project_id", "record_id", "run_id")
    );`);
    this.addSql(`create table "record_numbers" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "name" text not null,
      "created_at" timestamptz(6) not null,
      "record_id" uuid not null,
      "type" text not null,
      "value" double precision not null,
      primary key ("project_id", "run_id", "name", "created_at", "record_id")
    );`);
    this.addSql(`create index "record_numbers_value_index" on "record_numbers" ("project_id", "run_id", "name", "value");`);
    this.addSql(`create table "word_blocks" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "block" bigserial not null,
      "record_ids" uuid[] not null,
      "is_open" boolean not null,
      primary key ("project_id", "run_id", "block")
    );`);
    this.addSql(`create index "word_blocks_open_index" on "word_blocks" ("project_id", "run_id") where is_open;`);
    this.addSql(`create table "word_postings" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "slice" smallint not null,
      "block" bigint not null,
      "postings" text not null,
      primary key ("project_id", "run_id", "slice", "block")
    );`);
    this.addSql(compressWords);
    // Kept as they are: to compress them would cost more than it saves.
    this.addSql(`alter table "word_blocks" alter column "record_ids" set storage external;`);
    this.addSql(`alter table "word_postings" alter column "postings" set storage external;`);
    this.addSql(reindex);
  }
}
