import type { InsightScan } from '../core/insights/insight-scan.ts';
import type { InsightsService } from '../core/insights/insights-service.ts';
import type { AlertEvaluator } from '../core/trends/alert-evaluator.ts';
import type { AlertService } from '../core/trends/alert-service.ts';
import type { DashboardService } from '../core/trends/dashboard-service.ts';
import type { Dashboards } from '../core/trends/dashboards.ts';
import type { WebhookSigner } from '../core/trends/webhook.ts';
import type { WebhookSender } from '../core/trends/webhook-sender.ts';
import type { WidgetReader } from '../core/trends/widget-reader.ts';
import type { WidgetService } from '../core/trends/widget-service.ts';

/** What the trends of log streams are made of. */
export interface TrendsCradle {
  readonly dashboards: Dashboards;
  readonly dashboardService: DashboardService;
  readonly widgetReader: WidgetReader;
  readonly widgetService: WidgetService;
  readonly alertService: AlertService;
  readonly insightsService: InsightsService;
  readonly insightScan: InsightScan;
  readonly alertEvaluator: AlertEvaluator;
  readonly webhookSigner: WebhookSigner;
  readonly webhookSender: WebhookSender;
}
