import { z } from 'zod';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { NewScore, Score } from '../../scores/score.ts';
import { ScoreDetail } from '../scores/score-detail.ts';
import { JudgeCallView } from './judge-call.ts';

const Level = z
  .enum(['record', 'session'])
  .nullish()
  .describe('Of a trace outside of sessions, which is both; the record where absent.');

export const ScoreLevelQuery = z.object({ of: Level });
export const ReplayRequest = z.object({ of: Level }).meta({ id: 'ReplayRequest' });

const COMPARED = ['status_type', 'value', 'explanation', 'message'] as const;

/** A score that was made again, beside the stored one, which stays. */
export const Replay = z
  .object({
    score: ScoreDetail,
    replayed: ScoreDetail,
    is_equal: z.boolean().describe('Whether status and value are the same.'),
    differences: z
      .array(z.enum(COMPARED))
      .describe('What is not the same; judges seldom explain a verdict twice in the same words.'),
    has_record_changed: z
      .boolean()
      .nullable()
      .describe('Whether what was judged has changed since the stored score; null when its state then is not known.'),
    definition_sha256: z.string().describe('Of the definition of the version: its code, or its questions and settings.'),
    calls_before: z
      .array(JudgeCallView)
      .describe('The calls of models that the stored score was made of, as far as they are kept.'),
    calls: z.array(JudgeCallView).describe('Those of this replay; none came from the cache.'),
  })
  .meta({ id: 'ScoreReplay' });
export type Replay = z.output<typeof Replay>;

/** The parts in which two results differ: values by their JSON, whatever the order of names in them. */
export const differencesOf = (score: Score, replayed: NewScore): Replay['differences'] =>
  COMPARED.filter((name) => canonicalJson(score[name]) !== canonicalJson(replayed[name]));

export const isSameVerdict = (differences: Replay['differences']): boolean =>
  !differences.includes('status_type') && !differences.includes('value');
