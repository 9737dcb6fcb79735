import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { CostForecast } from '../../../core/scorers/forecast/cost-forecast.ts';
import type { CostForecastService } from '../../../core/scorers/forecast/cost-forecast-service.ts';
import { NewScorerEntry } from '../../../core/scorers/settings/metric-settings.ts';
import { type Route, route } from '../route.ts';

export const costForecastRoutes = ({ costForecastService }: { costForecastService: CostForecastService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/runs/{run_id}/scorer-forecast',
    operationId: 'forecastScorerCost',
    summary:
      'What a scorer would cost in a month if it was enabled like this, by the traffic of the last week. No model is asked.',
    tag: 'scorers',
    params: z.object({ project_id: Id, run_id: Id }),
    body: NewScorerEntry,
    response: CostForecast,
    handle: ({ caller, params, body }) => costForecastService.forecast(caller, params, body),
  }),
];
