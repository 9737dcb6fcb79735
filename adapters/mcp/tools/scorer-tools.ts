import { z } from 'zod';
import { HealthScoreQuery } from '../../../core/health/health-score.ts';
import type { HealthService } from '../../../core/health/health-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import type { ScorerService } from '../../../core/scorers/scorer-service.ts';
import { type Tool, tool } from '../tool.ts';
import { page } from './inputs.ts';

interface Deps {
  readonly scorerService: ScorerService;
  readonly healthService: HealthService;
}

export const scorerTools = ({ scorerService, healthService }: Deps): Tool[] => [
  tool({
    name: 'list_scorers',
    title: 'List scorers',
    description: 'Scorers that judge records: their kind, what they return and which version is the default.',
    input: z.object(page),
    call: async (caller, wanted) => {
      const found = await scorerService.list(caller, { filters: [], sort: { name: 'name', ascending: true } }, wanted);
      return { scorers: found.scorers, next_starting_token: found.next_starting_token };
    },
  }),
  tool({
    name: 'scorer_health',
    title: 'How far to trust a scorer',
    description:
      'How well each version of a scorer agreed with the ground truth of a dataset: the measure, its interval, the constant baseline that it has to beat, and the confusion table.',
    input: z.object({ scorer_id: Id, dataset_id: Id }),
    call: (caller, { scorer_id, dataset_id }) => healthService.list(caller, scorer_id, HealthScoreQuery.parse({ dataset_id })),
  }),
];
