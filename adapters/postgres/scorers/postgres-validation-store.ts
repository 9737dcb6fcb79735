import type { JsonObject } from '../../../core/kernel/json.ts';
import type { Evidence, Validation } from '../../../core/scorers/validation/validation.ts';
import type { ValidationStore } from '../../../core/scorers/validation/validation-store.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { ScorerValidationTable } from './scorer-tables.ts';

export class PostgresValidationStore implements ValidationStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insert(validation: Validation): Promise<void> {
    await refusingDuplicates('validation_exists', `validation ${validation.id} exists already`, () =>
      this.#session.em.insert(ScorerValidationTable, {
        ...validation,
        definition: encodeJson(validation.definition as JsonObject),
        plan: encodeJson(validation.plan),
        evidence: validation.evidence && encodeJson(validation.evidence),
      }),
    );
  }

  async find(id: string): Promise<Validation | undefined> {
    const row = await this.#session.em.findOne(ScorerValidationTable, { id }, FRESH);
    return row ? toValidation(row) : undefined;
  }

  async findByVersion(scorer_version_id: string): Promise<Validation | undefined> {
    const row = await this.#session.em.findOne(ScorerValidationTable, { scorer_version_id }, FRESH);
    return row ? toValidation(row) : undefined;
  }

  async finish(id: string, evidence: Evidence): Promise<void> {
    await this.#session.em.nativeUpdate(ScorerValidationTable, { id }, { evidence: encodeJson(evidence) });
  }

  async link(id: string, scorer_version_id: string): Promise<void> {
    await this.#session.em.nativeUpdate(ScorerValidationTable, { id }, { scorer_version_id });
  }

  async listWithRunBefore(created_at: string, limit: number): Promise<Validation[]> {
    const where = { created_at: { $lt: created_at }, run_id: { $ne: null } };
    const rows = await this.#session.em.find(ScorerValidationTable, where, {
      ...FRESH,
      orderBy: { created_at: 'asc', id: 'asc' },
      limit,
    });
    return rows.map(toValidation);
  }

  async forgetRun(id: string): Promise<void> {
    await this.#session.em.nativeUpdate(ScorerValidationTable, { id }, { project_id: null, run_id: null });
  }

  async removeUnusedBefore(created_at: string): Promise<void> {
    const unused = { created_at: { $lt: created_at }, run_id: null, scorer_version_id: null };
    await this.#session.em.nativeDelete(ScorerValidationTable, unused);
  }
}

function toValidation(row: object): Validation {
  const validation = plain<Validation>(row);
  return {
    ...validation,
    definition: decodeJson(validation.definition) as Validation['definition'],
    plan: decodeJson(validation.plan) as JsonObject,
    evidence: validation.evidence && (decodeJson(validation.evidence) as Evidence),
  };
}
