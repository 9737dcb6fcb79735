import type { StoredAudit } from '../../../core/health/bias/judge-audit.ts';
import { AUDITS_KEPT, type AuditEnd, type JudgeAuditStore } from '../../../core/health/bias/judge-audit-store.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemoryJudgeAuditStore implements JudgeAuditStore {
  readonly #audits: Table<string, StoredAudit>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#audits = database.table();
  }

  async insert(audit: StoredAudit): Promise<void> {
    // Nothing is awaited before it is stored: of two at once one has to see the other.
    const others = this.#list(audit.scorer_id, audit.scorer_version_id);
    if (others.some(({ status }) => status === 'running'))
      throw new AppError('conflict', 'judge_audit_under_way', 'the version is being audited already');
    for (const { id } of others.slice(AUDITS_KEPT - 1)) this.#audits.delete(id);
    this.#audits.set(audit.id, structuredClone(audit));
  }

  async find(scorer_id: string, id: string): Promise<StoredAudit | undefined> {
    const audit = this.#audits.get(id);
    return audit?.scorer_id === scorer_id ? structuredClone(audit) : undefined;
  }

  async list(scorer_id: string, scorer_version_id?: string): Promise<StoredAudit[]> {
    return structuredClone(this.#list(scorer_id, scorer_version_id));
  }

  async end(id: string, end: AuditEnd): Promise<boolean> {
    const audit = this.#audits.get(id);
    if (audit?.status !== 'running') return false;
    this.#audits.set(id, structuredClone({ ...audit, ...end }));
    return true;
  }

  async removeOfScorer(scorer_id: string): Promise<void> {
    for (const audit of [...this.#audits.values()]) if (audit.scorer_id === scorer_id) this.#audits.delete(audit.id);
  }

  #list(scorer_id: string, scorer_version_id?: string): StoredAudit[] {
    const own = [...this.#audits.values()].filter(
      (audit) =>
        audit.scorer_id === scorer_id && (scorer_version_id === undefined || audit.scorer_version_id === scorer_version_id),
    );
    return own.toSorted((a, b) => (a.created_at === b.created_at ? byText(a.id, b.id) : byText(b.created_at, a.created_at)));
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
