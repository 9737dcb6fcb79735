import { z } from 'zod';
import { AvailableColumnsQuery, columnListSchema, metricsTestingQuerySchema } from '../../../core/columns/available-columns.ts';
import type { ColumnService } from '../../../core/columns/column-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import type { ScorerKinds } from '../../../core/scorers/kinds/scorer-kinds.ts';
import { type Route, route } from '../route.ts';

const ProjectPath = z.object({ project_id: Id });
const LEVELS = [
  ['trace', 'listTraceColumns'],
  ['span', 'listSpanColumns'],
  ['session', 'listSessionColumns'],
] as const;

interface Deps {
  readonly columnService: ColumnService;
  readonly scorerKinds: ScorerKinds;
}

export const columnRoutes = ({ columnService, scorerKinds }: Deps): Route[] => [
  ...LEVELS.map(([level, operationId]) =>
    route({
      method: 'post',
      path: `/v2/projects/{project_id}/${level}s/available_columns`,
      operationId,
      summary: `Columns of the ${level}s of a run: what can be shown, filtered and sorted by, and what of it is empty.`,
      tag: 'traces',
      params: ProjectPath,
      body: AvailableColumnsQuery,
      response: columnListSchema(scorerKinds),
      handle: ({ caller, params, body }) => columnService.list(caller, params.project_id, level, body),
    }),
  ),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/metrics-testing/available_columns',
    operationId: 'listMetricsTestingColumns',
    summary: 'Columns of a run in which a metric is tried, and that metric.',
    tag: 'traces',
    params: ProjectPath,
    body: metricsTestingQuerySchema(scorerKinds),
    response: columnListSchema(scorerKinds),
    handle: ({ caller, params, body }) => columnService.listTested(caller, params.project_id, body),
  }),
];
