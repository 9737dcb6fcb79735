import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../scorers/scorer.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import type { ActivationGate, GateTerms } from './activation-gate.ts';
import type { GateVerdict } from './gate-verdict.ts';
import type { GateCheck, NewScorerGate, ScorerGate, ScorerGateStore } from './scorer-gate.ts';

export interface GateServiceDeps {
  readonly scorerStore: ScorerStore;
  readonly scorerGateStore: ScorerGateStore;
  readonly activationGate: ActivationGate;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

/** Gates of scorers: everyone who sees the dataset may ask; who may change the scorer sets the gate. */
export class GateService {
  readonly #deps: GateServiceDeps;

  constructor(deps: GateServiceDeps) {
    this.#deps = deps;
  }

  async set(caller: Caller, scorer_id: string, wanted: NewScorerGate): Promise<ScorerGate> {
    const { scorerGateStore, authorizer } = this.#deps;
    await this.#own(caller, scorer_id);
    await authorizer.authorize(caller, 'dataset', wanted.dataset_id, 'read');
    const { dataset_id, margin, health_score_type = null, audit = null } = wanted;
    const by = { updated_by: caller.user_id, updated_at: this.#deps.clock().toISOString() };
    const gate: ScorerGate = { scorer_id, dataset_id, margin, health_score_type, audit, ...by };
    await this.#deps.transactions.run(async () => {
      await scorerGateStore.put(gate);
      await this.#note(caller, 'scorer_gate.set', scorer_id, { dataset_id, margin: String(margin) });
    });
    return gate;
  }

  async get(caller: Caller, scorer_id: string): Promise<ScorerGate> {
    return this.#gate(caller, scorer_id);
  }

  async remove(caller: Caller, scorer_id: string): Promise<{ message: string }> {
    await this.#own(caller, scorer_id);
    await this.#deps.transactions.run(async () => {
      if (!(await this.#deps.scorerGateStore.remove(scorer_id))) throw noGate(scorer_id);
      await this.#note(caller, 'scorer_gate.remove', scorer_id, {});
    });
    return { message: `scorer ${scorer_id} has no gate any more` };
  }

  /** Nothing is changed. The answer is the verdict, whichever it is. */
  async check(caller: Caller, scorer_id: string, asked: GateCheck): Promise<GateVerdict> {
    if (asked.dataset_id) await this.#deps.authorizer.authorize(caller, 'dataset', asked.dataset_id, 'read');
    const scorer = await this.#scorer(scorer_id);
    const terms = await this.#terms(caller, scorer_id, asked);
    const candidate = await this.#candidate(scorer_id, asked);
    return this.#deps.activationGate.judge(scorer, candidate, terms);
  }

  /** Completes the conditions of a check by those of the gate, which has to exist only when the dataset is not named. */
  async #terms(
    caller: Caller,
    scorer_id: string,
    { dataset_id, margin, health_score_type, ...asked }: GateCheck,
  ): Promise<GateTerms> {
    if (!dataset_id) {
      const gate = await this.#gate(caller, scorer_id);
      const audit = asked.audit ?? gate.audit;
      return { ...gate, audit, margin: margin ?? gate.margin, health_score_type: health_score_type ?? gate.health_score_type };
    }
    const gate = await this.#deps.scorerGateStore.find(scorer_id);
    const own = gate?.dataset_id === dataset_id ? gate : undefined;
    const type = health_score_type ?? own?.health_score_type ?? null;
    const audit = asked.audit ?? own?.audit ?? null;
    return { dataset_id, margin: margin ?? own?.margin ?? 0, health_score_type: type, audit };
  }

  async #candidate(scorer_id: string, { version, scorer_version_id }: GateCheck): Promise<ScorerVersionRecord> {
    const { scorerStore } = this.#deps;
    const found = scorer_version_id
      ? await scorerStore.findVersion(scorer_version_id)
      : await scorerStore.findVersionOf(scorer_id, version ?? undefined);
    if (found?.scorer_id === scorer_id) return found;
    throw new AppError('not_found', 'scorer_version_not_found', `scorer ${scorer_id} has no such version`);
  }

  /** A gate on a dataset that the caller does not see is not there for them. */
  async #gate(caller: Caller, scorer_id: string): Promise<ScorerGate> {
    const gate = await this.#deps.scorerGateStore.find(scorer_id);
    const role = gate && (await this.#deps.authorizer.roleOn(caller, 'dataset', gate.dataset_id));
    if (!gate || role === undefined) throw noGate(scorer_id);
    return gate;
  }

  async #own(caller: Caller, scorer_id: string): Promise<void> {
    const { created_by } = await this.#scorer(scorer_id);
    this.#deps.authorizer.authorizeOnOwn(caller, created_by, 'scorer');
  }

  async #scorer(id: string): Promise<ScorerRecord> {
    const scorer = await this.#deps.scorerStore.find(id);
    if (!scorer) throw new AppError('not_found', 'scorer_not_found', `scorer ${id} does not exist`);
    return scorer;
  }

  #note(caller: Caller, action: string, object_id: string, details: Record<string, string>): Promise<void> {
    return this.#deps.auditTrail.note(caller, { action, object_kind: 'scorer', object_id, details });
  }
}

const noGate = (scorer_id: string): AppError =>
  new AppError('not_found', 'scorer_gate_not_found', `scorer ${scorer_id} has no gate`);
