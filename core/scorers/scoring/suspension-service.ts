import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Transactions } from '../../kernel/ports.ts';
import { scorerNotFound } from '../scorer.ts';
import type { ScorerStore } from '../scorer-store.ts';
import type { ScorerResume, Suspension, SuspensionView } from './suspension.ts';
import type { SuspensionStore } from './suspension-store.ts';

export interface SuspensionServiceDeps {
  readonly suspensionStore: SuspensionStore;
  readonly scorerStore: Pick<ScorerStore, 'find' | 'findVersion'>;
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

  /**
   * Switches them on again, or one version of them: they score what comes from now on; a recompute has them score what they
   * missed. A version that is not switched off is left as it is.
   */
  async resume(
    caller: Caller,
    scorer_id: string,
    { scorer_version_id }: ScorerResume,
  ): Promise<{ suspensions: SuspensionView[] }> {
    const { scorerStore, suspensionStore, authorizer, auditTrail, transactions } = this.#deps;
    const scorer = await scorerStore.find(scorer_id);
    if (!scorer) throw scorerNotFound(scorer_id);
    authorizer.authorizeOnOwn(caller, scorer.created_by, 'scorer');
    if (scorer_version_id) await this.#requireVersion(scorer_id, scorer_version_id);
    const seen = await this.#seen(caller, scorer_id);
    const meant = scorer_version_id ? seen.filter((one) => one.scorer_version_id === scorer_version_id) : seen;
    return transactions.run(async () => {
      for (const { project_id, scorer_version_id } of meant) {
        if (!(await suspensionStore.remove(project_id, scorer_version_id))) continue;
        const details = { project_id, scorer_version_id };
        await auditTrail.note(caller, { action: 'scorer.resume', object_kind: 'scorer', object_id: scorer_id, details });
      }
      return { suspensions: meant.map(suspensionView) };
    });
  }

  async #requireVersion(scorer_id: string, version_id: string): Promise<void> {
    const version = await this.#deps.scorerStore.findVersion(version_id);
    if (version?.scorer_id === scorer_id) return;
    throw new AppError('not_found', 'scorer_version_not_found', `scorer ${scorer_id} has no version ${version_id}`);
  }

  async #seen(caller: Caller, scorer_id: string): Promise<Suspension[]> {
    const all = await this.#deps.suspensionStore.listOfScorer(scorer_id);
    const roles = all.map(({ project_id }) => this.#deps.authorizer.roleOn(caller, 'project', project_id));
    const seen = await Promise.all(roles);
    return all.filter((_, at) => seen[at] !== undefined);
  }
}

export const suspensionView = ({ scorer_id: _scorer, ...shown }: Suspension): SuspensionView => shown;
