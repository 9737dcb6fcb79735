import type { StoredAudit } from '../../../core/health/bias/judge-audit.ts';
import { AUDITS_KEPT, type AuditEnd, type JudgeAuditStore } from '../../../core/health/bias/judge-audit-store.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, decodeText, encodeJson, encodeText } from '../database/text-codec.ts';

const COLUMNS = `id, scorer_id, scorer_version_id, scorer_version_number, status, message, plan, report, created_by, created_at,
  finished_at`;

export class PostgresJudgeAuditStore implements JudgeAuditStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  insert(audit: StoredAudit): Promise<void> {
    return this.#session.run(async () => {
      const { scorer_version_id } = audit;
      const inserted = await this.#session.sql(
        `insert into judge_audits (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9, $10, $11)
         on conflict (scorer_version_id) where status = 'running' do nothing returning id`,
        [
          ...[
            audit.id,
            audit.scorer_id,
            scorer_version_id,
            audit.scorer_version_number,
            audit.status,
            audit.message && encodeText(audit.message),
          ],
          ...[stored(audit.plan), stored(audit.report), audit.created_by, audit.created_at, audit.finished_at],
        ],
      );
      if (inserted.length === 0) throw new AppError('conflict', 'judge_audit_under_way', 'the version is being audited already');
      await this.#session.sql(
        `delete from judge_audits where id in (
           select id from judge_audits where scorer_version_id = $1 order by created_at desc, id offset $2)`,
        [scorer_version_id, AUDITS_KEPT],
      );
    });
  }

  async find(scorer_id: string, id: string): Promise<StoredAudit | undefined> {
    const [row] = await this.#session.sql<StoredAudit>(`select ${COLUMNS} from judge_audits where scorer_id = $1 and id = $2`, [
      scorer_id,
      id,
    ]);
    return row && toAudit(row);
  }

  async list(scorer_id: string, scorer_version_id?: string): Promise<StoredAudit[]> {
    const rows = await this.#session.sql<StoredAudit>(
      `select ${COLUMNS} from judge_audits where scorer_id = $1 and ($2::uuid is null or scorer_version_id = $2)
       order by created_at desc, id`,
      [scorer_id, scorer_version_id ?? null],
    );
    return rows.map(toAudit);
  }

  async end(id: string, { status, message, report, finished_at }: AuditEnd): Promise<boolean> {
    const ended = await this.#session.sql(
      `update judge_audits set status = $2, message = $3, report = $4::jsonb, finished_at = $5
       where id = $1 and status = 'running' returning id`,
      [id, status, message && encodeText(message), stored(report), finished_at],
    );
    return ended.length > 0;
  }

  async removeOfScorer(scorer_id: string): Promise<void> {
    await this.#session.sql('delete from judge_audits where scorer_id = $1', [scorer_id]);
  }
}

const stored = (value: unknown): string | null => (value === null ? null : JSON.stringify(encodeJson(value)));

const toAudit = (row: StoredAudit): StoredAudit => ({
  ...row,
  message: row.message && decodeText(row.message),
  plan: decodeJson(row.plan) as StoredAudit['plan'],
  report: decodeJson(row.report) as StoredAudit['report'],
  created_at: toUtc(row.created_at) ?? row.created_at,
  finished_at: row.finished_at === null ? null : (toUtc(row.finished_at) ?? row.finished_at),
});
