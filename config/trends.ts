import { DashboardService } from '../core/trends/dashboard-service.ts';
import { Dashboards } from '../core/trends/dashboards.ts';
import { WidgetReader } from '../core/trends/widget-reader.ts';
import { WidgetService } from '../core/trends/widget-service.ts';
import { one, type Registrations } from './cradle.ts';
import type { TrendsCradle } from './trends-cradle.ts';

/** How the trends of log streams are wired. */
export const trends: Registrations<TrendsCradle> = {
  dashboards: one((cradle) => new Dashboards(cradle)),
  dashboardService: one((cradle) => new DashboardService(cradle)),
  widgetReader: one((cradle) => new WidgetReader(cradle)),
  widgetService: one((cradle) => new WidgetService(cradle)),
};
