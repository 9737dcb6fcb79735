import { alertRoutes } from '../../adapters/http/trends/alert-routes.ts';
import { dashboardRoutes } from '../../adapters/http/trends/dashboard-routes.ts';
import { metricsSearchRoutes } from '../../adapters/http/trends/metrics-search-routes.ts';
import { widgetRoutes } from '../../adapters/http/trends/widget-routes.ts';
import { HmacWebhookSigner } from '../../adapters/security/hmac-webhook-signer.ts';
import { AlertEvaluator } from '../../core/trends/alert-evaluator.ts';
import { AlertService } from '../../core/trends/alert-service.ts';
import { DashboardService } from '../../core/trends/dashboard-service.ts';
import { Dashboards } from '../../core/trends/dashboards.ts';
import { MetricsSearchService } from '../../core/trends/metrics-search-service.ts';
import { WebhookSender } from '../../core/trends/webhook-sender.ts';
import { WidgetReader } from '../../core/trends/widget-reader.ts';
import { WidgetService } from '../../core/trends/widget-service.ts';
import { capability, singleton } from './registration.ts';

export const trends = capability({
  services: {
    webhookSigner: singleton(HmacWebhookSigner),
    dashboards: singleton(Dashboards),
    dashboardService: singleton(DashboardService),
    widgetReader: singleton(WidgetReader),
    widgetService: singleton(WidgetService),
    alertService: singleton(AlertService),
    alertEvaluator: singleton(AlertEvaluator),
    metricsSearchService: singleton(MetricsSearchService),
    webhookSender: singleton(WebhookSender),
  },
  routes: [dashboardRoutes, widgetRoutes, metricsSearchRoutes, alertRoutes],
  background: [
    ({ alertEvaluator }: { alertEvaluator: AlertEvaluator }) => ({
      name: 'evaluate alerts',
      work: () => alertEvaluator.run(),
      idleDelayMs: 5_000,
    }),
    ({ webhookSender }: { webhookSender: WebhookSender }) => ({
      name: 'send webhooks',
      work: () => webhookSender.run(),
      idleDelayMs: 2_000,
    }),
  ],
});
