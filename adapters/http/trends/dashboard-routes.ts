import { z } from 'zod';
import {
  DashboardFile,
  DashboardOrder,
  NewDashboardFile,
  NewSection,
  SectionUpdate,
  TrendsDashboard,
  TrendsSection,
} from '../../../core/trends/dashboard.ts';
import type { DashboardService } from '../../../core/trends/dashboard-service.ts';
import { SectionId } from '../../../core/trends/widget.ts';
import { Flag } from '../query.ts';
import { type Route, route } from '../route.ts';
import { LogStreamPath, TRENDS } from './trends-paths.ts';

const SectionPath = LogStreamPath.extend({ section_id: SectionId });
const tag = 'trends';

const sections = ({ dashboardService }: { dashboardService: DashboardService }): Route[] => [
  route({
    method: 'post',
    path: `${TRENDS}/sections`,
    operationId: 'createTrendsSection',
    summary: 'Add a section to the trends dashboard.',
    tag,
    params: LogStreamPath,
    body: NewSection,
    response: TrendsSection,
    handle: ({ caller, params, body }) => dashboardService.createSection(caller, params, body),
  }),
  route({
    method: 'patch',
    path: `${TRENDS}/sections/{section_id}`,
    operationId: 'updateTrendsSection',
    summary: 'Rename a section, or move it.',
    tag,
    params: SectionPath,
    body: SectionUpdate,
    response: TrendsSection,
    handle: ({ caller, params: { section_id, ...key }, body }) => dashboardService.updateSection(caller, key, section_id, body),
  }),
  route({
    method: 'delete',
    path: `${TRENDS}/sections/{section_id}`,
    operationId: 'deleteTrendsSection',
    summary: 'Remove a section with its widgets.',
    tag,
    params: SectionPath,
    status: 204,
    response: z.void(),
    handle: ({ caller, params: { section_id, ...key } }) => dashboardService.deleteSection(caller, key, section_id),
  }),
];

export const dashboardRoutes = ({ dashboardService }: { dashboardService: DashboardService }): Route[] => [
  route({
    method: 'get',
    path: TRENDS,
    operationId: 'getTrendsDashboard',
    summary: 'The trends dashboard of a log stream: sections with their widgets.',
    tag,
    params: LogStreamPath,
    response: TrendsDashboard,
    handle: ({ caller, params }) => dashboardService.getDashboard(caller, params),
  }),
  ...sections({ dashboardService }),
  route({
    method: 'put',
    path: `${TRENDS}/order`,
    operationId: 'orderTrendsDashboard',
    summary: 'Put sections and widgets into another order.',
    tag,
    params: LogStreamPath,
    body: DashboardOrder,
    response: TrendsDashboard,
    handle: ({ caller, params, body }) => dashboardService.orderDashboard(caller, params, body),
  }),
  route({
    method: 'get',
    path: `${TRENDS}/metrics`,
    operationId: 'listTrendsMetrics',
    summary: 'Names of the numbers that widgets can be made of.',
    tag,
    params: LogStreamPath,
    response: z.object({
      metrics: z.array(z.string()),
      units: z.record(z.string(), z.string()).describe('Units of the metrics that OpenTelemetry sent, by their names.'),
    }),
    handle: ({ caller, params }) => dashboardService.listMetrics(caller, params),
  }),
  route({
    method: 'get',
    path: `${TRENDS}/export`,
    operationId: 'exportTrendsDashboard',
    summary: 'The dashboard as a file for another log stream.',
    tag,
    params: LogStreamPath,
    response: DashboardFile,
    handle: ({ caller, params }) => dashboardService.exportDashboard(caller, params),
  }),
  route({
    method: 'post',
    path: `${TRENDS}/import`,
    operationId: 'importTrendsDashboard',
    summary: 'Take the sections of a file, behind those that are there or with `replace` in their place.',
    tag,
    params: LogStreamPath,
    query: z.object({ replace: Flag.optional() }),
    body: NewDashboardFile,
    response: TrendsDashboard,
    handle: ({ caller, params, query, body }) => dashboardService.importDashboard(caller, params, body, query.replace ?? false),
  }),
];
