import type { WorkFacts } from '../../core/kernel/ports.ts';
import type { ScoringJob, ScoringQueue } from '../../core/scorers/scoring/scoring-queue.ts';
import type { ScoringService } from '../../core/scorers/scoring/scoring-service.ts';
import type { ShadowScoring } from '../../core/scorers/shadow/shadow-scoring.ts';
import { type Worker, worker } from './worker.ts';

interface Scoring {
  readonly scoringService: ScoringService;
  readonly shadowScoring: ShadowScoring;
}

const toFacts =
  (job: string) =>
  ({ project_id, run_id }: ScoringJob): WorkFacts => ({ job, project_id, run_id });

/** Scores by code, which is fast. */
export const codeScoring = (needs: Scoring & { readonly scoringQueue: ScoringQueue }): Worker =>
  worker(needs.scoringQueue, {
    facts: toFacts('scoring'),
    work: async (job, signal) => {
      await needs.scoringService.score(job, signal);
      await needs.shadowScoring.score(job, 'code', signal);
    },
    giveUp: (job) => needs.scoringService.giveUp(job),
  });

/** Scores by models, which may have to be waited for. */
export const modelScoring = (needs: Scoring & { readonly modelScoringQueue: ScoringQueue }): Worker =>
  worker(needs.modelScoringQueue, {
    facts: toFacts('model_scoring'),
    work: async (job, signal) => {
      await needs.scoringService.scoreByModels(job, signal);
      await needs.shadowScoring.score(job, 'model', signal);
    },
    giveUp: (job) => needs.scoringService.giveUp(job),
  });
