import { TrendChanges } from '../../../core/trends/changes/trend-change.ts';
import type { TrendChangesService } from '../../../core/trends/changes/trend-changes-service.ts';
import { DashboardQuery } from '../../../core/trends/widget-query.ts';
import { type Route, route } from '../route.ts';
import { LogStreamPath, TRENDS } from './trends-paths.ts';

export const trendChangesRoutes = ({ trendChangesService }: { trendChangesService: TrendChangesService }): Route[] => [
  route({
    method: 'post',
    path: `${TRENDS}/changes/query`,
    operationId: 'queryTrendChanges',
    summary:
      'Changes of scorers, prompts, models and prices in a time, and level shifts of the series of the dashboard with what happened near them.',
    tag: 'trends',
    params: LogStreamPath,
    body: DashboardQuery,
    response: TrendChanges,
    bulk: true,
    handle: ({ caller, params, body }) => trendChangesService.query(caller, params, body),
  }),
];
