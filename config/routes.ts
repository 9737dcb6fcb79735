import { accessRoutes } from '../adapters/http/access-routes.ts';
import { alertRoutes } from '../adapters/http/alert-routes.ts';
import { annotationQueueRoutes } from '../adapters/http/annotation-queue-routes.ts';
import { auditRoutes } from '../adapters/http/audit-routes.ts';
import { collaboratorRoleRoutes, collaboratorRoutes } from '../adapters/http/collaborator-routes.ts';
import { columnRoutes } from '../adapters/http/column-routes.ts';
import { dashboardRoutes } from '../adapters/http/dashboard-routes.ts';
import { datasetContentRoutes } from '../adapters/http/dataset-content-routes.ts';
import { datasetExtensionRoutes } from '../adapters/http/dataset-extension-routes.ts';
import { datasetFileRoutes } from '../adapters/http/dataset-file-routes.ts';
import { datasetRoutes } from '../adapters/http/dataset-routes.ts';
import { datasetVersionRoutes } from '../adapters/http/dataset-version-routes.ts';
import { emailRoutes } from '../adapters/http/email-routes.ts';
import { experimentMetricsRoutes } from '../adapters/http/experiment-metrics-routes.ts';
import { experimentRoutes } from '../adapters/http/experiment-routes.ts';
import { experimentTagRoutes } from '../adapters/http/experiment-tag-routes.ts';
import { exportRoutes } from '../adapters/http/export-routes.ts';
import { gateRoutes } from '../adapters/http/gate-routes.ts';
import { groupRoutes } from '../adapters/http/group-routes.ts';
import { healthRoutes } from '../adapters/http/health-routes.ts';
import { insightsRoutes } from '../adapters/http/insights-routes.ts';
import { integrationRoutes } from '../adapters/http/integration-routes.ts';
import { jobRoutes } from '../adapters/http/job-routes.ts';
import { llmIntegrationRoutes } from '../adapters/http/llm-integration-routes.ts';
import { logStreamRoutes } from '../adapters/http/log-stream-routes.ts';
import { metricSettingsRoutes } from '../adapters/http/metric-settings-routes.ts';
import { metricsSearchRoutes } from '../adapters/http/metrics-search-routes.ts';
import { projectRoutes } from '../adapters/http/project-routes.ts';
import { projectTemplateRoutes } from '../adapters/http/project-template-routes.ts';
import { ratingRoutes } from '../adapters/http/rating-routes.ts';
import { recomputeRoutes } from '../adapters/http/recompute-routes.ts';
import { recordRemovalRoutes } from '../adapters/http/record-removal-routes.ts';
import { renderRoutes } from '../adapters/http/render-routes.ts';
import { retentionRoutes } from '../adapters/http/retention-routes.ts';
import type { Route } from '../adapters/http/route.ts';
import { scoreRoutes } from '../adapters/http/score-routes.ts';
import { scorerRoutes } from '../adapters/http/scorer-routes.ts';
import { scorerVersionRoutes } from '../adapters/http/scorer-version-routes.ts';
import { sessionRoutes } from '../adapters/http/session-routes.ts';
import { shadowRoutes } from '../adapters/http/shadow-routes.ts';
import { spendingRoutes } from '../adapters/http/spending-routes.ts';
import { suspensionRoutes } from '../adapters/http/suspension-routes.ts';
import { systemRoutes } from '../adapters/http/system-routes.ts';
import { templateRoutes } from '../adapters/http/template-routes.ts';
import { traceGraphRoutes } from '../adapters/http/trace-graph-routes.ts';
import { traceRoutes } from '../adapters/http/trace-routes.ts';
import { userRoutes } from '../adapters/http/user-routes.ts';
import { validationRoutes } from '../adapters/http/validation-routes.ts';
import { widgetRoutes } from '../adapters/http/widget-routes.ts';
import type { Cradle } from './cradle.ts';

/** Every operation of the API but ingest by OpenTelemetry, which speaks a form of its own. */
export const everyRoute = (cradle: Cradle): readonly Route[] => [
  ...traceRoutes(cradle),
  ...sessionRoutes(cradle),
  ...recordRemovalRoutes(cradle),
  ...exportRoutes(cradle),
  ...traceGraphRoutes(cradle),
  ...metricsSearchRoutes(cradle),
  ...recomputeRoutes(cradle),
  ...retentionRoutes(cradle),
  ...columnRoutes(cradle),
  ...systemRoutes(cradle),
  ...accessRoutes(cradle),
  ...emailRoutes(cradle),
  ...userRoutes(cradle),
  ...groupRoutes(cradle),
  ...collaboratorRoleRoutes(),
  ...auditRoutes(cradle),
  ...projectRoutes(cradle),
  ...collaboratorRoutes(cradle, 'project'),
  ...logStreamRoutes(cradle),
  ...experimentRoutes(cradle),
  ...experimentTagRoutes(cradle),
  ...experimentMetricsRoutes(cradle),
  ...scorerRoutes(cradle),
  ...healthRoutes(cradle),
  ...gateRoutes(cradle),
  ...shadowRoutes(cradle),
  ...scorerVersionRoutes(cradle),
  ...suspensionRoutes(cradle),
  ...validationRoutes(cradle),
  ...metricSettingsRoutes(cradle),
  ...spendingRoutes(cradle),
  ...scoreRoutes(cradle),
  ...ratingRoutes(cradle),
  ...annotationQueueRoutes(cradle),
  ...jobRoutes(cradle),
  ...datasetRoutes(cradle),
  ...datasetFileRoutes(cradle),
  ...datasetExtensionRoutes(cradle),
  ...datasetContentRoutes(cradle),
  ...datasetVersionRoutes(cradle),
  ...collaboratorRoutes(cradle, 'dataset'),
  ...dashboardRoutes(cradle),
  ...widgetRoutes(cradle),
  ...templateRoutes(cradle),
  ...projectTemplateRoutes(cradle),
  ...renderRoutes(cradle),
  ...collaboratorRoutes(cradle, 'template'),
  ...alertRoutes(cradle),
  ...insightsRoutes(cradle),
  ...integrationRoutes(cradle),
  ...llmIntegrationRoutes(cradle),
  ...collaboratorRoutes(cradle, 'integration'),
];
