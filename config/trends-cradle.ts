import type { DashboardService } from '../core/trends/dashboard-service.ts';
import type { Dashboards } from '../core/trends/dashboards.ts';
import type { WidgetReader } from '../core/trends/widget-reader.ts';
import type { WidgetService } from '../core/trends/widget-service.ts';

/** What the trends of log streams are made of. */
export interface TrendsCradle {
  readonly dashboards: Dashboards;
  readonly dashboardService: DashboardService;
  readonly widgetReader: WidgetReader;
  readonly widgetService: WidgetService;
}
