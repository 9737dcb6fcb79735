import { HmacWebhookSigner } from '../adapters/security/hmac-webhook-signer.ts';
import { InsightScan } from '../core/insights/insight-scan.ts';
import { InsightsService } from '../core/insights/insights-service.ts';
import { AlertEvaluator } from '../core/trends/alert-evaluator.ts';
import { AlertService } from '../core/trends/alert-service.ts';
import { DashboardService } from '../core/trends/dashboard-service.ts';
import { Dashboards } from '../core/trends/dashboards.ts';
import { WebhookSender } from '../core/trends/webhook-sender.ts';
import { WidgetReader } from '../core/trends/widget-reader.ts';
import { WidgetService } from '../core/trends/widget-service.ts';
import type { BackgroundWork } from './background-loop.ts';
import { one, type Registrations } from './cradle.ts';
import type { TrendsCradle } from './trends-cradle.ts';

const ALERTS_EVERY_MS = 5_000;
const WEBHOOKS_EVERY_MS = 2_000;
const INSIGHTS_EVERY_MS = 5_000;

/** How the trends of log streams are wired. */
export const trends: Registrations<TrendsCradle> = {
  dashboards: one((cradle) => new Dashboards(cradle)),
  dashboardService: one((cradle) => new DashboardService(cradle)),
  widgetReader: one((cradle) => new WidgetReader(cradle)),
  widgetService: one((cradle) => new WidgetService(cradle)),
  alertService: one((cradle) => new AlertService(cradle)),
  insightsService: one((cradle) => new InsightsService(cradle)),
  insightScan: one((cradle) => new InsightScan(cradle)),
  alertEvaluator: one((cradle) => new AlertEvaluator(cradle)),
  webhookSigner: one(() => new HmacWebhookSigner()),
  webhookSender: one((cradle) => new WebhookSender(cradle)),
};

/** What goes on behind the requests; any number of processes may do it at once. */
export const trendsWork = ({ alertEvaluator, webhookSender, insightScan }: TrendsCradle): BackgroundWork[] => [
  { name: 'evaluate alerts', work: () => alertEvaluator.run(), idleDelayMs: ALERTS_EVERY_MS },
  { name: 'send webhooks', work: () => webhookSender.run(), idleDelayMs: WEBHOOKS_EVERY_MS },
  { name: 'look for insights', work: () => insightScan.run(), idleDelayMs: INSIGHTS_EVERY_MS },
];
