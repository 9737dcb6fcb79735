import { Migration } from '@mikro-orm/migrations';

/** Whoever created a project owns it; where nobody knows who did, the oldest administrator does. */
const ownersOfProjects = `insert into "user_collaborators" ("object_kind", "object_id", "user_id", "id", "role", "created_at")
    select 'project', p."id", u."id", gen_random_uuid(), 'owner', p."created_at"
    from "projects" p
    cross join lateral (
      select "id" from "users"
      where "id" = p."created_by" or "role" = 'admin'
      order by ("id" = p."created_by") is true desc, "created_at", "id"
      limit 1
    ) u;`;

/** Named as the mapper expects of the trigger's function, so that it can compare the two. */
const refuseChanges = `create function "audit_log_refuse_changes_fn"() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is not changed' using errcode = 'insufficient_privilege';
    end $$;`;

export class Access extends Migration {
  override name = 'm0002-access';

  override up(): void {
    this.addSql(`create table "organizations" ("id" uuid not null, "name" text not null, primary key ("id"));`);
    this.addSql(`insert into "organizations" ("id", "name") values (gen_random_uuid(), 'default');`);
    this.#users();
    this.#logins();
    this.#groups();
    this.#collaborators();
    this.#auditLog();
  }

  /** The defaults are for the rows there are; later ones bring their own values. */
  #users(): void {
    this.addSql(`alter table "users"
      add column "auth_method" text not null default 'email',
      add column "email_is_verified" boolean not null default true,
      add column "is_disabled" boolean not null default false;`);
    this.addSql(`alter table "users"
      alter column "auth_method" drop default,
      alter column "email_is_verified" drop default,
      alter column "is_disabled" drop default;`);
    this.addSql(`alter table "api_keys" add column "project_id" uuid null, add column "max_role" text null;`);
    this.addSql(`create index "api_keys_project_id_index" on "api_keys" ("project_id");`);
    this.addSql(`create table "user_identities" (
      "issuer" text not null,
      "subject" text not null,
      "user_id" uuid not null,
      "created_at" timestamptz(6) not null,
      primary key ("issuer", "subject")
    );`);
    this.addSql(`create index "user_identities_user_id_index" on "user_identities" ("user_id");`);
  }

  #logins(): void {
    this.addSql(`create table "refresh_tokens" (
      "token_hash" text not null,
      "family_id" uuid not null,
      "user_id" uuid not null,
      "token_version" int not null,
      "api_key_id" uuid null,
      "created_at" timestamptz(6) not null,
      "expires_at" timestamptz(6) not null,
      "used_at" timestamptz(6) null,
      primary key ("token_hash")
    );`);
    this.addSql(`create index "refresh_tokens_family_id_index" on "refresh_tokens" ("family_id");`);
    this.addSql(`create index "refresh_tokens_user_id_index" on "refresh_tokens" ("user_id");`);
    this.addSql(`create index "refresh_tokens_expires_at_index" on "refresh_tokens" ("expires_at");`);
    this.addSql(`create table "verification_codes" (
      "code_hash" text not null,
      "user_id" uuid not null,
      "email" text not null,
      "created_at" timestamptz(6) not null,
      "expires_at" timestamptz(6) not null,
      "used_at" timestamptz(6) null,
      primary key ("code_hash")
    );`);
    this.addSql(`create index "verification_codes_user_id_index" on "verification_codes" ("user_id");`);
    this.addSql(`create table "login_attempts" (
      "key" text not null,
      "count" int not null,
      "last_at" timestamptz(6) not null,
      primary key ("key")
    );`);
    this.addSql(`create table "used_id_tokens" (
      "token_hash" text not null,
      "expires_at" timestamptz(6) not null,
      primary key ("token_hash")
    );`);
  }

  #groups(): void {
    this.addSql(`create table "groups" (
      "id" uuid not null,
      "name" text not null,
      "description" text not null,
      "visibility" text not null,
      "created_by" uuid not null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(`alter table "groups" add constraint "groups_name_unique" unique ("name");`);
    this.addSql(`create table "group_members" (
      "group_id" uuid not null,
      "user_id" uuid not null,
      "id" uuid not null,
      "role" text not null,
      "created_at" timestamptz(6) not null,
      primary key ("group_id", "user_id")
    );`);
    this.addSql(`create index "group_members_user_id_index" on "group_members" ("user_id");`);
  }

  #collaborators(): void {
    for (const side of ['user', 'group']) {
      this.addSql(`create table "${side}_collaborators" (
        "object_kind" text not null,
        "object_id" uuid not null,
        "${side}_id" uuid not null,
        "id" uuid not null,
        "role" text not null,
        "created_at" timestamptz(6) not null,
        primary key ("object_kind", "object_id", "${side}_id")
      );`);
      this.addSql(
        `create index "${side}_collaborators_${side}_id_index" on "${side}_collaborators" ("${side}_id", "object_kind");`,
      );
    }
    this.addSql(ownersOfProjects);
    this.addSql(`create table "shared_objects" (
      "object_kind" text not null,
      "object_id" uuid not null,
      primary key ("object_kind", "object_id")
    );`);
    this.addSql(`insert into "shared_objects" select distinct "object_kind", "object_id" from "user_collaborators";`);
  }

  #auditLog(): void {
    this.addSql(`create table "audit_log" (
      "sequence" bigint not null,
      "at" timestamptz(6) not null,
      "action" text not null,
      "object_kind" text not null,
      "object_id" text null,
      "actor_id" text null,
      "actor_email" text null,
      "scheme" text null,
      "api_key_id" text null,
      "request_id" text null,
      "address" text null,
      "details" jsonb not null,
      "previous_hash" text not null,
      "hash" text not null,
      primary key ("sequence")
    );`);
    this.addSql(`create index "audit_log_at_index" on "audit_log" ("at");`);
    this.addSql(`create index "audit_log_actor_id_index" on "audit_log" ("actor_id", "sequence");`);
    this.addSql(`create index "audit_log_object_id_index" on "audit_log" ("object_id", "sequence");`);
    this.addSql(refuseChanges);
    this.addSql(`create trigger "refuse_changes" before update or delete or truncate on "audit_log"
      for each statement execute function "audit_log_refuse_changes_fn"();`);
    this.addSql(`create table "audit_head" ("sequence" bigint not null, "hash" text not null, primary key ("sequence"));`);
    this.addSql(`insert into "audit_head" ("sequence", "hash") values (0, repeat('0', 64));`);
  }
}
