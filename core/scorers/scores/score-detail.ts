import { z } from 'zod';
import type { KeptEffort, Score } from '../../scores/score.ts';

const Vote = z.object({
  value: z.unknown(),
  explanation: z.string().nullable(),
  model: z.string().nullable().describe('Of a jury: the model whose vote it is; else null.'),
  weight: z.number().nullable().describe('Of a jury: how much the vote counts; else null.'),
});
const MissingVote = z.object({ model: z.string(), weight: z.number(), message: z.string() });

/** A stored result with all that is kept of it, which is more than `metric_info` has fields for. */
export const ScoreDetail = z
  .object({
    of: z.enum(['record', 'session']).describe('A trace outside of sessions is both.'),
    scorer_id: z.string(),
    scorer_version_id: z.string(),
    metric_name: z.string(),
    status_type: z.enum(['success', 'error', 'failed', 'not_applicable']),
    value: z.unknown(),
    explanation: z.string().nullable(),
    message: z.string().nullable(),
    scored_at: z.string(),
    times_scored: z
      .int()
      .describe('How often the version scored it: more than 1 where the record had changed, or was recomputed.'),
    model: z.string().nullable(),
    num_judges: z.int().nullable(),
    votes: z.array(Vote).describe('The verdicts of the judges that answered, in their order.'),
    missing_votes: z.array(MissingVote).describe('The jurors of a jury that gave no verdict, and why.'),
    agreement: z.number().nullable().describe('Share of the verdicts that equal the result, 0 to 1; of a jury by weight.'),
    input_tokens: z.int().nullable(),
    output_tokens: z.int().nullable(),
    cost: z.number().nullable().describe('US dollars; null when it is not known.'),
    latency_ms: z.number().nullable(),
    cached: z.boolean().describe('Whether every answer came from the cache.'),
    truncated: z.boolean().describe('Whether material was cut to fit.'),
    printed: z.string().nullable().describe('The text that a program printed, kept with trials: its first 2,000 characters.'),
  })
  .meta({ id: 'ScoreDetail' });
export type ScoreDetail = z.output<typeof ScoreDetail>;

export const ScoreDetails = z.object({ scores: z.array(ScoreDetail) }).meta({ id: 'ScoreDetails' });

export function toDetail(score: Score, of: ScoreDetail['of']): ScoreDetail {
  const { project_id: _project, run_id: _run, record_id: _record, effort, judged: _judged, ...said } = score;
  return { of, ...said, ...getSpent(effort ?? {}) };
}

const getSpent = (effort: KeptEffort) => ({
  model: effort.model ?? null,
  num_judges: effort.num_judges ?? null,
  votes: (effort.votes ?? []).map(({ value, explanation = null, model = null, weight = null }) => ({
    value,
    explanation,
    model,
    weight,
  })),
  missing_votes: (effort.missing_votes ?? []).map((one) => ({ ...one })),
  agreement: effort.agreement ?? null,
  input_tokens: effort.input_tokens ?? null,
  output_tokens: effort.output_tokens ?? null,
  cost: effort.cost ?? null,
  latency_ms: effort.latency_ms ?? null,
  cached: effort.cached ?? false,
  truncated: effort.truncated ?? false,
  printed: effort.printed ?? null,
});
