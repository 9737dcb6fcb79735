import { Migration } from '@mikro-orm/migrations';

/** Payloads that came as content blocks are kept beside the text that they are searched by. */
export class ContentBlocks extends Migration {
  override name = 'm0029-content-blocks';

  override up(): void {
    this.addSql(`alter table "records" add column "content_blocks" text null;`);
    this.addSql(`alter type "incoming_record" add attribute "content_blocks" text;`);
  }
}
