import { experimentMetricsRoutes } from '../../adapters/http/experiments/experiment-metrics-routes.ts';
import { experimentRoutes } from '../../adapters/http/experiments/experiment-routes.ts';
import { experimentTagRoutes } from '../../adapters/http/experiments/experiment-tag-routes.ts';
import { playgroundRoutes } from '../../adapters/http/experiments/playground-routes.ts';
import { ComparisonService } from '../../core/experiments/comparison/comparison-service.ts';
import { ExperimentCreationService } from '../../core/experiments/experiment-creation-service.ts';
import { ExperimentMetricsService } from '../../core/experiments/experiment-metrics-service.ts';
import { ExperimentService } from '../../core/experiments/experiment-service.ts';
import { ExperimentTagService } from '../../core/experiments/experiment-tag-service.ts';
import { PlaygroundRequests } from '../../core/experiments/playground-requests.ts';
import { PlaygroundRunJob } from '../../core/experiments/playground-run-job.ts';
import { PlaygroundService } from '../../core/experiments/playground-service.ts';
import { makeScorerEnabling } from '../scorer-enabling.ts';
import { capability, factory, singleton } from './registration.ts';

export const experiments = capability({
  services: {
    enableScorers: factory(makeScorerEnabling),
    playgroundRequests: singleton(PlaygroundRequests),
    experimentService: singleton(ExperimentService),
    experimentCreationService: singleton(ExperimentCreationService),
    experimentMetricsService: singleton(ExperimentMetricsService),
    comparisonService: singleton(ComparisonService),
    experimentTagService: singleton(ExperimentTagService),
    playgroundService: singleton(PlaygroundService),
  },
  routes: [experimentRoutes, experimentTagRoutes, experimentMetricsRoutes, playgroundRoutes],
  jobs: [singleton(PlaygroundRunJob)],
});
