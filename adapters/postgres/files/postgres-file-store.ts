import type { FileKey, StoredFile } from '../../../core/files/file.ts';
import type { FileReference, FileStore } from '../../../core/files/file-store.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';

const COLUMNS =
  'project_id, id, filename, content_type, modality, size_bytes, status, upload_metadata, created_by, created_at, sha256';

const INSERT = `
insert into files (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (project_id, id) do nothing returning 1 as is_new`;

const ADOPT = `
update files set filename = $3, upload_metadata = $4, created_by = $5 where project_id = $1 and id = $2 and created_by is null`;

const ADD_BYTES = `
insert into file_totals (project_id, size_bytes) values ($1, $2)
on conflict (project_id) do update set size_bytes = file_totals.size_bytes + excluded.size_bytes`;

/** In one order, so that two that hold the same files do not wait for each other. */
const REFER = `
with held as materialized (
  select id from files where project_id = $1 and id = any($4::uuid[]) order by id for key share
)
insert into record_files (project_id, record_id, run_id, file_id)
select $1::uuid, given.record_id, $2::uuid, given.file_id from unnest($3::uuid[], $4::uuid[]) as given(record_id, file_id)
join held on held.id = given.file_id order by given.record_id, given.file_id on conflict do nothing`;

/** An upload stays for the next record. */
const FORGET = `
with gone as (
  delete from record_files l where l.project_id = $1 and l.run_id = $2 and l.record_id = any($3::uuid[])
    and not exists (select from records r where r.project_id = l.project_id and r.id = l.record_id and (r.run_id = l.run_id) is true)
  returning file_id
)
insert into left_files (project_id, file_id)
select distinct $1::uuid, f.id from gone join files f on f.project_id = $1 and f.id = gone.file_id where f.created_by is null
on conflict do nothing`;

const IS_NAMED = 'exists (select from record_files l where l.project_id = $1 and l.file_id = f.id)';
const LIST = `
select ${COLUMNS} from files f where f.project_id = $1 and f.id = any($2::uuid[])
  and (not exists (select from left_files g where g.project_id = $1 and g.file_id = f.id) or ${IS_NAMED})`;

/** In one order, so that two that note the same files do not wait for each other. */
const NOTE_PUTS = `
insert into file_puts (project_id, file_id, noted_at)
select given.project_id, given.file_id, $3::timestamptz from unnest($1::uuid[], $2::uuid[]) as given(project_id, file_id)
order by 1, 2 on conflict (project_id, file_id) do update set noted_at = excluded.noted_at`;

const SETTLE_PUTS = `
delete from file_puts p using unnest($1::uuid[], $2::uuid[]) as given(project_id, file_id)
where p.project_id = given.project_id and p.file_id = given.file_id`;

interface Row extends Omit<StoredFile, 'created_at'> {
  readonly created_at: string;
}

export class PostgresFileStore implements FileStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  insertOrHold(files: readonly StoredFile[]): Promise<ReadonlySet<string>> {
    return this.#session.run(async () => {
      const missing = new Set<string>();
      for (const file of files.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        if ((await this.#insertOrComplete(file)) && file.status === 'complete') missing.add(file.id);
        if (file.created_by !== null) await this.#adopt(file);
        const key = [file.project_id, file.id];
        await this.#session.sql('delete from left_files where project_id = $1 and file_id = $2', key);
      }
      return missing;
    });
  }

  async addBytes(project_id: string, bytes: number): Promise<void> {
    await this.#session.sql(ADD_BYTES, [project_id, bytes]);
  }

  async refer(project_id: string, run_id: string, references: readonly FileReference[]): Promise<void> {
    const records = references.map(({ record_id }) => record_id);
    const files = references.map(({ file_id }) => file_id);
    await this.#session.sql(REFER, [project_id, run_id, records, files]);
  }

  async forget(project_id: string, run_id: string, record_ids: readonly string[]): Promise<void> {
    await this.#session.sql(FORGET, [project_id, run_id, record_ids]);
  }

  async list(project_id: string, ids: readonly string[]): Promise<StoredFile[]> {
    return (await this.#session.sql<Row>(LIST, [project_id, ids])).map(toFile);
  }

  async bytesIn(project_id: string): Promise<number> {
    const [row] = await this.#session.sql<{ size_bytes: string }>(
      'select size_bytes::text as size_bytes from file_totals where project_id = $1',
      [project_id],
    );
    return Number(row?.size_bytes ?? 0);
  }

  listLeft(limit: number): Promise<FileKey[]> {
    return this.#session.sql<FileKey>('select project_id, file_id as id from left_files limit $1', [limit]);
  }

  async release({ project_id, id }: FileKey): Promise<boolean> {
    const key = [project_id, id];
    const [file] = await this.#session.sql<{ status: string; size_bytes: number }>(
      'select status, size_bytes from files where project_id = $1 and id = $2 for update',
      key,
    );
    const left = await this.#session.sql('delete from left_files where project_id = $1 and file_id = $2 returning 1', key);
    if (left.length === 0) return false;
    if (!file) return true;
    const named = await this.#session.sql('select from record_files where project_id = $1 and file_id = $2 limit 1', key);
    if (named.length > 0) return false;
    await this.#session.sql('delete from files where project_id = $1 and id = $2', key);
    if (file.status === 'complete') await this.#session.sql(ADD_BYTES, [project_id, -file.size_bytes]);
    return true;
  }

  async hold({ project_id, id }: FileKey): Promise<StoredFile | undefined> {
    const statement = `select ${COLUMNS} from files where project_id = $1 and id = $2 for no key update`;
    const [row] = await this.#session.sql<Row>(statement, [project_id, id]);
    return row && toFile(row);
  }

  async notePuts(files: readonly FileKey[], at: string): Promise<void> {
    await this.#session.sql(NOTE_PUTS, [...toColumns(files), at]);
  }

  async settlePuts(files: readonly FileKey[]): Promise<void> {
    await this.#session.sql(SETTLE_PUTS, toColumns(files));
  }

  listPuts(before: string, limit: number): Promise<FileKey[]> {
    const statement = 'select project_id, file_id as id from file_puts where noted_at < $1 order by noted_at limit $2';
    return this.#session.sql<FileKey>(statement, [before, limit]);
  }

  async releasePut({ project_id, id }: FileKey, before: string): Promise<boolean> {
    const noted = await this.#session.sql(
      'delete from file_puts where project_id = $1 and file_id = $2 and noted_at < $3 returning 1',
      [project_id, id, before],
    );
    if (noted.length === 0) return false;
    const stored = await this.#session.sql(
      `select from files where project_id = $1 and id = $2 and status = 'complete' for key share`,
      [project_id, id],
    );
    return stored.length === 0;
  }

  async #insert(file: StoredFile): Promise<boolean> {
    return (await this.#session.sql(INSERT, toValues(file))).length > 0;
  }

  /** Returns whether the file is new, or lacks the content that this one brings. What is there is held. */
  async #insertOrComplete(file: StoredFile): Promise<boolean> {
    const key = [file.project_id, file.id];
    for (;;) {
      if (await this.#insert(file)) return true;
      const [known] = await this.#session.sql<{ status: string }>(
        'select status from files where project_id = $1 and id = $2 for key share',
        key,
      );
      // Else it was removed in between.
      if (known && (known.status === 'complete' || file.status === 'failed')) return false;
      if (known) return this.#complete(key);
    }
  }

  async #adopt({ project_id, id, filename, upload_metadata, created_by }: StoredFile): Promise<void> {
    await this.#session.sql(ADOPT, [project_id, id, toText(filename), toText(upload_metadata), created_by]);
  }

  async #complete(key: readonly string[]): Promise<boolean> {
    const statement = `update files set status = 'complete' where project_id = $1 and id = $2 and status = 'failed' returning 1`;
    return (await this.#session.sql(statement, key)).length > 0;
  }
}

const toColumns = (files: readonly FileKey[]): [string[], string[]] => [
  files.map(({ project_id }) => project_id),
  files.map(({ id }) => id),
];

const toText = (text: string | null): string | null => (text === null ? null : encodeText(text));

function toValues(file: StoredFile): unknown[] {
  const { project_id, id, filename, content_type, modality, size_bytes, sha256, status, upload_metadata, created_by } = file;
  const facts = [encodeText(content_type), modality, size_bytes, status];
  return [project_id, id, toText(filename), ...facts, toText(upload_metadata), created_by, file.created_at, sha256];
}

const toFile = (row: Row): StoredFile => ({
  ...row,
  filename: row.filename === null ? null : decodeText(row.filename),
  content_type: decodeText(row.content_type),
  upload_metadata: row.upload_metadata === null ? null : decodeText(row.upload_metadata),
  created_at: toUtc(row.created_at)!,
});
