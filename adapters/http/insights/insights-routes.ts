import { z } from 'zod';
import { Insight, InsightStatus, InsightUpdate } from '../../../core/insights/insight.ts';
import type { InsightsService } from '../../../core/insights/insights-service.ts';
import { InsightsSettings, InsightsSettingsUpdate } from '../../../core/insights/insights-settings.ts';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';

const RUN = '/v2/projects/{project_id}/runs/{run_id}';
const RunPath = z.object({ project_id: Id, run_id: Id });
const tag = 'insights';

export const insightsRoutes = ({ insightsService }: { insightsService: InsightsService }): Route[] => [
  route({
    method: 'get',
    path: `${RUN}/insights-settings`,
    operationId: 'getInsightsSettings',
    summary: 'Whether a run is looked at for insights.',
    tag,
    params: RunPath,
    response: InsightsSettings,
    handle: ({ caller, params }) => insightsService.getSettings(caller, params),
  }),
  route({
    method: 'patch',
    path: `${RUN}/insights-settings`,
    operationId: 'updateInsightsSettings',
    summary: 'Have a run looked at for insights, or no longer.',
    tag,
    params: RunPath,
    body: InsightsSettingsUpdate,
    response: InsightsSettings,
    handle: ({ caller, params, body }) => insightsService.updateSettings(caller, params, body),
  }),
  route({
    method: 'get',
    path: `${RUN}/insights`,
    operationId: 'listInsights',
    summary: 'What was found in the records of a run, the most pressing first.',
    tag,
    params: RunPath,
    query: PageQuery.extend({ status: InsightStatus.optional() }),
    response: z.object({ ...PageFields, insights: z.array(Insight) }).meta({ id: 'InsightPage' }),
    handle: ({ caller, params, query }) => insightsService.listInsights(caller, params, query),
  }),
  route({
    method: 'patch',
    path: `${RUN}/insights/{insight_id}`,
    operationId: 'updateInsight',
    summary: 'Dismiss an insight, or open it again.',
    tag,
    params: RunPath.extend({ insight_id: Id }),
    body: InsightUpdate,
    response: Insight,
    handle: ({ caller, params: { insight_id, ...run }, body }) => insightsService.updateInsight(caller, run, insight_id, body),
  }),
];
