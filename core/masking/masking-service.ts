import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { JsonValue } from '../kernel/json.ts';
import type { Transactions } from '../kernel/ports.ts';
import { compileRules } from './compiled-rule.ts';
import type { Tally } from './masker.ts';
import type { MaskingCount, MaskingDays, MaskingRules, MaskingTrial, MaskingTrialResult } from './masking-rule.ts';
import type { MaskingStore } from './masking-store.ts';
import type { ProjectMasking } from './project-masking.ts';

export interface MaskingServiceDeps {
  readonly maskingStore: MaskingStore;
  readonly projectMasking: ProjectMasking;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
}

/** The masking rules of a project, tried and set at run time. */
export class MaskingService {
  readonly #deps: MaskingServiceDeps;

  constructor(deps: MaskingServiceDeps) {
    this.#deps = deps;
  }

  async getRules(caller: Caller, project_id: string): Promise<MaskingRules> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return { rules: await this.#deps.maskingStore.list(project_id) };
  }

  /** For owners alone: whoever takes a rule away lets what it kept out be stored. */
  async setRules(caller: Caller, project_id: string, { rules }: MaskingRules): Promise<MaskingRules> {
    const { authorizer, maskingStore, projectMasking, auditTrail, transactions } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'set_masking');
    const enabled = compileRules(rules).map(({ name }) => name);
    await transactions.run(async () => {
      await maskingStore.replace(project_id, rules);
      const details = { rules: rules.length, enabled: enabled.join(', ') };
      await auditTrail.note(caller, { action: 'masking_rules.set', object_kind: 'project', object_id: project_id, details });
    });
    projectMasking.forget(project_id);
    return { rules };
  }

  /** Stores nothing. */
  async preview(caller: Caller, project_id: string, { content, rules }: MaskingTrial): Promise<MaskingTrialResult> {
    const { authorizer, maskingStore, projectMasking } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const masker = projectMasking.toMasker(project_id, rules ?? (await maskingStore.list(project_id)));
    const tally: Tally = new Map();
    const given = content as JsonValue;
    const made = masker ? await projectMasking.inTurns(masker.value(given, tally)) : given;
    return { content: made, masked: Object.fromEntries(tally) };
  }

  async listCounts(caller: Caller, project_id: string, days: MaskingDays): Promise<{ counts: MaskingCount[] }> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return { counts: await this.#deps.maskingStore.listCounts(project_id, days) };
  }
}
