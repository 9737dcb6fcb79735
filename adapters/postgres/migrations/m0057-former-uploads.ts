import { Migration } from '@mikro-orm/migrations';
import { checkContentType, OCTETS } from '../../../core/files/content-type.ts';
import { toModality } from '../../../core/plugin-sdk/modality.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';

interface Content {
  readonly project_id: string;
  readonly id: string;
  readonly content_type: string;
  readonly head: Buffer;
  readonly has_nul: boolean;
  readonly sha256: string;
}

const NIL = '00000000-0000-0000-0000-000000000000';
const PAGE = 100;

/** A NUL is looked for where it makes a difference. */
const READ = `
select f.project_id, f.id, f.content_type, substring(c.content from 1 for 64) as head, encode(sha256(c.content), 'hex') as sha256,
  case when f.content_type ~* '^(text|application/json)' then position('\\x00'::bytea in c.content) > 0 else false end as has_nul
from files f join file_contents c on c.project_id = f.project_id and c.file_id = f.id
where f.sha256 is null and (f.project_id, f.id) > (?::uuid, ?::uuid) order by f.project_id, f.id limit ?`;

const WRITE = 'update files set content_type = ?, modality = ?, sha256 = ? where project_id = ? and id = ?';

/**
 * Ids of files since then are made of the content, and have the version 8. Only content blocks have a file_id in JSON; in a text of JSON within
 * JSON its quotes are escaped.
 */
const LINK = `
with uploads as materialized (
  select project_id, id, modality from files where substring(id::text from 15 for 1) <> '8'
),
named as (
  select r.project_id, r.run_id, r.id as record_id, u.id as file_id, u.modality, min(found.at) as at
  from records r
  cross join lateral regexp_matches(
    concat_ws(' ', r.input, r.output, r.redacted_input, r.redacted_output, r.content_blocks),
    '"file_id"\\s*:\\s*"([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"', 'g'
  ) with ordinality as found(match, at)
  join uploads u on u.project_id = r.project_id and u.id = found.match[1]::uuid
  where r.project_id in (select project_id from uploads) and (r.payload_kinds <> 0 or r.content_blocks is not null)
    and r.attributes -> 'file_ids' is null
  group by r.project_id, r.run_id, r.id, u.id, u.modality
),
linked as (
  insert into record_files (project_id, record_id, run_id, file_id) select project_id, record_id, run_id, file_id from named
  on conflict do nothing
)
update records r set attributes = coalesce(r.attributes, '{}') || jsonb_build_object('file_ids', n.file_ids, 'file_modalities', n.modalities)
from (
  select project_id, run_id, record_id, jsonb_agg(file_id order by at) as file_ids,
    (select jsonb_agg(one order by place) from unnest(array['text', 'document', 'image', 'audio', 'video']) with ordinality as all_of(one, place)
      where one = any(array_agg(modality))) as modalities
  from named group by project_id, run_id, record_id
) n
where r.project_id = n.project_id and r.run_id = n.run_id and r.id = n.record_id`;

/**
 * Files from before their content was looked at: their type is the one that their bytes have, and their hash is kept. Records that named uploads
 * by content blocks, before records had files, have them now. Projects without such uploads are not looked into.
 */
export class FormerUploads extends Migration {
  override name = 'm0057-former-uploads';

  override async up(): Promise<void> {
    for (let [project_id, id] = [NIL, NIL]; ; ) {
      const page = (await this.execute(READ, [project_id, id, PAGE])) as unknown as readonly Content[];
      for (const content of page) await this.#write(content);
      const last = page.at(-1);
      if (!last) break;
      ({ project_id, id } = last);
    }
    await this.execute(LINK);
  }

  async #write({ project_id, id, content_type, head, has_nul, sha256 }: Content): Promise<void> {
    const type = checkContentType(head, has_nul ? OCTETS : decodeText(content_type));
    await this.execute(WRITE, [encodeText(type), toModality(type), sha256, project_id, id]);
  }
}
