import { alertRoutes } from '../../adapters/http/trends/alert-routes.ts';
import { dashboardRoutes } from '../../adapters/http/trends/dashboard-routes.ts';
import { driftRoutes } from '../../adapters/http/trends/drift-routes.ts';
import { metricsSearchRoutes } from '../../adapters/http/trends/metrics-search-routes.ts';
import { notificationRouteRoutes } from '../../adapters/http/trends/notification-route-routes.ts';
import { trendChangesRoutes } from '../../adapters/http/trends/trend-changes-routes.ts';
import { widgetRoutes } from '../../adapters/http/trends/widget-routes.ts';
import { HmacWebhookSigner } from '../../adapters/security/hmac-webhook-signer.ts';
import { PluginRegistry } from '../../core/kernel/plugin-registry.ts';
import { AlertChannels } from '../../core/trends/alert-channels.ts';
import { AlertEvaluator } from '../../core/trends/alert-evaluator.ts';
import { AlertService } from '../../core/trends/alert-service.ts';
import { KnownChanges } from '../../core/trends/changes/known-changes.ts';
import { TrendChangesService } from '../../core/trends/changes/trend-changes-service.ts';
import { ChannelOpener } from '../../core/trends/channel-opener.ts';
import { DashboardService } from '../../core/trends/dashboard-service.ts';
import { Dashboards } from '../../core/trends/dashboards.ts';
import { DriftReader } from '../../core/trends/drift/drift-reader.ts';
import { DriftService } from '../../core/trends/drift/drift-service.ts';
import { MetricsSearchService } from '../../core/trends/metrics-search-service.ts';
import { NotificationSender } from '../../core/trends/notification-sender.ts';
import { AlertRouting } from '../../core/trends/routing/alert-routing.ts';
import { NotificationRouteService } from '../../core/trends/routing/notification-route-service.ts';
import { WidgetReader } from '../../core/trends/widget-reader.ts';
import { WidgetService } from '../../core/trends/widget-service.ts';
import type { Given } from '../given.ts';
import { scopedChannel } from '../plugin-scope.ts';
import { capability, factory, singleton } from './registration.ts';

export const trends = capability({
  services: {
    notificationChannels: factory(
      ({ plugins, workContext }: Pick<Given, 'plugins' | 'workContext'>) =>
        new PluginRegistry(plugins.notificationChannels.map((plugin) => scopedChannel(plugin, workContext))),
    ),
    alertChannels: singleton(AlertChannels),
    channelOpener: singleton(ChannelOpener),
    webhookSigner: singleton(HmacWebhookSigner),
    dashboards: singleton(Dashboards),
    dashboardService: singleton(DashboardService),
    widgetReader: singleton(WidgetReader),
    widgetService: singleton(WidgetService),
    driftReader: singleton(DriftReader),
    driftService: singleton(DriftService),
    knownChanges: singleton(KnownChanges),
    trendChangesService: singleton(TrendChangesService),
    alertService: singleton(AlertService),
    alertRouting: singleton(AlertRouting),
    notificationRouteService: singleton(NotificationRouteService),
    alertEvaluator: singleton(AlertEvaluator),
    metricsSearchService: singleton(MetricsSearchService),
    notificationSender: singleton(NotificationSender),
  },
  routes: [
    dashboardRoutes,
    widgetRoutes,
    trendChangesRoutes,
    metricsSearchRoutes,
    driftRoutes,
    alertRoutes,
    notificationRouteRoutes,
  ],
  background: [
    ({ alertEvaluator }: { alertEvaluator: AlertEvaluator }) => ({
      name: 'evaluate alerts',
      work: () => alertEvaluator.run(),
      idleDelayMs: 5_000,
    }),
    ({ notificationSender }: { notificationSender: NotificationSender }) => ({
      name: 'tell of alerts',
      work: async (signal: AbortSignal) => {
        await notificationSender.run(signal);
        return false;
      },
      idleDelayMs: 2_000,
    }),
  ],
});
