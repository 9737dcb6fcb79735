import { AppError } from '../kernel/errors.ts';
import type { Clock } from '../kernel/ports.ts';
import { OutputType } from '../plugin-sdk/index.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../scorers/scorer.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import type { VersionGate } from '../scorers/versions/version-gate.ts';
import type { JudgeAuditStore } from './bias/judge-audit-store.ts';
import { withAudit } from './gate-audit.ts';
import { type GateVerdict, type Measured, verdictOn } from './gate-verdict.ts';
import type { HealthScore, StoredHealthScore } from './health-score.ts';
import { HEALTH_TYPE_OF, type HealthScoreType } from './health-type.ts';
import type { KeptHealth } from './kept-health.ts';
import type { ScorerGate, ScorerGateStore } from './scorer-gate.ts';

export interface GateDeps {
  readonly scorerStore: ScorerStore;
  readonly scorerGateStore: ScorerGateStore;
  readonly keptHealth: Pick<KeptHealth, 'list'>;
  readonly judgeAuditStore: Pick<JudgeAuditStore, 'list'>;
  readonly clock: Clock;
}

/** Conditions that a candidate has to meet. */
export type GateTerms = Pick<ScorerGate, 'dataset_id' | 'margin' | 'health_score_type' | 'audit'>;

/**
 * Holds versions of a scorer against its default version, by the health of both on one dataset. Health that was computed with
 * truths that are not in the dataset does not count: whoever asked for it chose these.
 */
export class ActivationGate implements VersionGate {
  readonly #deps: GateDeps;

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  async authorize(scorer: ScorerRecord, version_id: string, force: boolean): Promise<'open' | 'forced'> {
    const gate = await this.#deps.scorerGateStore.find(scorer.id);
    const candidate = gate && (await this.#deps.scorerStore.findVersion(version_id));
    if (!gate || !candidate) return 'open';
    const { passed, message } = await this.judge(scorer, candidate, gate);
    if (passed) return 'open';
    if (force) return 'forced';
    const refusal = `version ${candidate.version} may not become the default: ${message}`;
    throw new AppError('conflict', 'gate_closed', refusal);
  }

  async judge(
    scorer: ScorerRecord,
    candidate: ScorerVersionRecord,
    { dataset_id, margin, ...terms }: GateTerms,
  ): Promise<GateVerdict> {
    const { scorerStore, keptHealth } = this.#deps;
    const scores = await keptHealth.list(scorer.id, dataset_id);
    const health_score_type = terms.health_score_type ?? getType(scorer, candidate) ?? getNewestType(scores, candidate);
    const id = scorer.default_version_id;
    const standard = id === null ? undefined : await scorerStore.findVersion(id);
    const measured = (version: ScorerVersionRecord) => measuredIn(scores, version, health_score_type);
    const verdict = verdictOn({
      scorer_id: scorer.id,
      dataset_id,
      health_score_type,
      margin,
      candidate: measured(candidate),
      default: standard ? measured(standard) : null,
    });
    if (!terms.audit || !verdict.passed || verdict.reason === 'is_default') return verdict;
    const audits = await this.#deps.judgeAuditStore.list(scorer.id, candidate.id);
    return withAudit(verdict, audits, terms.audit, this.#deps.clock());
  }
}

/** By the output that the version, or the scorer, declares. */
function getType(scorer: ScorerRecord, version: ScorerVersionRecord): HealthScoreType | null {
  const declared = OutputType.safeParse(version.output_type ?? scorer.output_type);
  return declared.success ? HEALTH_TYPE_OF[declared.data] : null;
}

/** Code scorers need not declare what they give; what was asked of them last tells. */
function getNewestType(scores: readonly StoredHealthScore[], { id }: ScorerVersionRecord): HealthScoreType | null {
  const own = scores.filter(({ scorer_version_id }) => scorer_version_id === id);
  const [newest] = own.sort((a, b) => (a.computed_at < b.computed_at ? 1 : -1));
  return newest?.health_score_type ?? null;
}

function measuredIn(
  scores: readonly StoredHealthScore[],
  { id, version }: ScorerVersionRecord,
  type: HealthScoreType | null,
): Measured {
  const found = scores.find((score) => score.scorer_version_id === id && score.health_score_type === type);
  return { scorer_version_id: id, scorer_version_number: version, health_score: found ? shown(found) : null };
}

const shown = ({ scorer_id: _scorer_id, ...score }: StoredHealthScore): HealthScore => score;
