import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { Transactions } from '../../kernel/ports.ts';
import { scorerNotFound } from '../scorer.ts';
import type { ScorerStore } from '../scorer-store.ts';
import type { Suspension, SuspensionView } from './suspension.ts';
import type { SuspensionStore } from './suspension-store.ts';

export interface SuspensionServiceDeps {
  readonly suspensionStore: SuspensionStore;
  readonly scorerStore: Pick<ScorerStore, 'find'>;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
}

/** Versions of scorers that are switched off, in the projects that a caller sees. */
export class SuspensionService {
  readonly #deps: SuspensionServiceDeps;

  constructor(deps: SuspensionServiceDeps) {
    this.#deps = deps;
  }

  async list(caller: Caller, scorer_id: string): Promise<{ suspensions: SuspensionView[] }> {
    if (!(await this.#deps.scorerStore.find(scorer_id))) throw scorerNotFound(scorer_id);
    return { suspensions: (await this.#seen(caller, scorer_id)).map(suspensionView) };
  }

  /** Switches them on again: they score what comes from now on; a recompute has them score what they missed. */
  async resume(caller: Caller, scorer_id: string): Promise<{ suspensions: SuspensionView[] }> {
    const { scorerStore, suspensionStore, authorizer, auditTrail, transactions } = this.#deps;
    const scorer = await scorerStore.find(scorer_id);
    if (!scorer) throw scorerNotFound(scorer_id);
    authorizer.authorizeOnOwn(caller, scorer.created_by, 'scorer');
    const seen = await this.#seen(caller, scorer_id);
    return transactions.run(async () => {
      for (const { project_id, scorer_version_id } of seen) {
        if (!(await suspensionStore.remove(project_id, scorer_version_id))) continue;
        const details = { project_id, scorer_version_id };
        await auditTrail.note(caller, { action: 'scorer.resume', object_kind: 'scorer', object_id: scorer_id, details });
      }
      return { suspensions: seen.map(suspensionView) };
    });
  }

  async #seen(caller: Caller, scorer_id: string): Promise<Suspension[]> {
    const all = await this.#deps.suspensionStore.listOfScorer(scorer_id);
    const roles = all.map(({ project_id }) => this.#deps.authorizer.roleOn(caller, 'project', project_id));
    const seen = await Promise.all(roles);
    return all.filter((_, at) => seen[at] !== undefined);
  }
}

export const suspensionView = ({ scorer_id: _scorer, ...shown }: Suspension): SuspensionView => shown;
