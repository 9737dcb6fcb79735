import { toRefusal } from '../../integrations/provider-failure.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { computeDigest, type Sha256 } from '../../kernel/digest.ts';
import type { Explain } from '../../kernel/explain.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { Clock, Log, NewId } from '../../kernel/ports.ts';
import type { ScoreOutcome } from '../../plugin-sdk/index.ts';
import type { ScorerKinds } from '../kinds/scorer-kinds.ts';
import { askScorer } from '../scoring/asked-scorer.ts';
import { NO_PROJECT, type ScorerKits } from '../scoring/scorer-kits.ts';
import { prepared } from '../scoring/scoring-task.ts';
import { candidateTask } from './candidate-task.ts';
import { type Sample, type SampleTexts, toSamples } from './sample-records.ts';
import { SpentBudgetsSeen } from './spent-budgets-seen.ts';
import { Tally } from './tally.ts';
import type { Candidate, Evidence } from './validation.ts';

export interface SampleTrialDeps {
  readonly scorerKinds: ScorerKinds;
  readonly scorerKits: ScorerKits;
  readonly explain: Explain;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

export const definitionHash = (kind: string, definition: Candidate['definition'], sha256: Sha256): string =>
  computeDigest(`${kind} ${canonicalJson(definition)}`, sha256);

/**
 * Runs a candidate over one record of each type that it scores. It is valid when each gives a value, and one of its output
 * type. Scorers that it requires have given nothing. Rejects with a PluginError when no record could be judged, and with AppError
 * `budget_spent` when one could not because of that.
 */
export async function tryOnSamples(
  deps: SampleTrialDeps,
  candidate: Candidate,
  texts: SampleTexts,
  signal: AbortSignal,
): Promise<Evidence> {
  const { scorerKinds, scorerKits, sha256, clock, newId, explain, log } = deps;
  const begun = clock().getTime();
  const now = clock().toISOString();
  const to = { project_id: NO_PROJECT, run_id: NO_PROJECT, session_id: undefined, is_complete: true, now, newId };
  const samples = toSamples(candidate.scoreable_node_types, texts, to, explain);
  const scorer = prepared(scorerKinds, candidateTask(scorerKinds, candidate, now));
  const { id, created_by: user_id } = candidate;
  const use = { project_id: NO_PROJECT, run_id: NO_PROJECT, scorer_id: id, scorer_version_id: id, user_id, daily_budget: null };
  const required = Object.fromEntries(candidate.required_scorers.map((name) => [name, null]));
  const items = samples.map(({ record, around }) => ({
    record,
    ...(scorer.surroundings === 'none' ? {} : { around }),
    ...(scorer.ground_truth ? { ground_truth: texts.output ?? '' } : {}),
    ...(candidate.required_scorers.length > 0 ? { required } : {}),
  }));
  const asked = { output_type: candidate.output_type, log, facts: { validation_id: id, kind: candidate.kind } };
  const budgets = new SpentBudgetsSeen();
  const kit = budgets.watching(scorerKits.forJob()(use, signal));
  const outcomes = await askScorer(() => scorer.start(kit), { items, signal }, asked);
  const tally = new Tally(sha256);
  for (const [at, sample] of samples.entries()) addTo(tally, sample, outcomes[at]);
  if (budgets.refusal && tally.failed > 0) throw toRefusal(budgets.refusal);
  return tally.evidence({
    verdict: tally.failed > 0 ? 'invalid' : 'valid',
    definition_hash: definitionHash(candidate.kind, candidate.definition, sha256),
    elapsed_ms: clock().getTime() - begun,
    finished_at: clock().toISOString(),
  });
}

function addTo(tally: Tally, { node_type, record }: Sample, outcome: ScoreOutcome | undefined): void {
  const about = { node_type, record_id: null, ...(outcome?.printed && { printed: outcome.printed }) };
  if (outcome?.status === 'success') {
    tally.add(record, 'success', { ...about, score: outcome.value as JsonValue, message: null });
  } else {
    const message = outcome?.message ?? 'the scorer gave no result';
    tally.add(record, outcome?.status ?? 'failed', { ...about, score: null, message });
  }
}
