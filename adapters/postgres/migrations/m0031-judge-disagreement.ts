import { Migration } from '@mikro-orm/migrations';

/** Records that come into annotation queues because judges disagree about them. */
export class JudgeDisagreement extends Migration {
  override name = 'm0031-judge-disagreement';

  override up(): void {
    this.addSql('alter table annotation_queues add column if not exists judge_disagreement jsonb');
    this.addSql('alter table annotation_items add column if not exists judge_disagreement double precision');
  }
}
