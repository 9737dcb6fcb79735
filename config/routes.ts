import { accessRoutes } from '../adapters/http/access/access-routes.ts';
import { auditRoutes } from '../adapters/http/access/audit-routes.ts';
import { collaboratorRoleRoutes, collaboratorRoutes } from '../adapters/http/access/collaborator-routes.ts';
import { emailRoutes } from '../adapters/http/access/email-routes.ts';
import { groupRoutes } from '../adapters/http/access/group-routes.ts';
import { invitationRoutes } from '../adapters/http/access/invitation-routes.ts';
import { userRoutes } from '../adapters/http/access/user-routes.ts';
import { datasetContentRoutes } from '../adapters/http/datasets/dataset-content-routes.ts';
import { datasetExtensionRoutes } from '../adapters/http/datasets/dataset-extension-routes.ts';
import { datasetFileRoutes } from '../adapters/http/datasets/dataset-file-routes.ts';
import { datasetRoutes } from '../adapters/http/datasets/dataset-routes.ts';
import { datasetVersionRoutes } from '../adapters/http/datasets/dataset-version-routes.ts';
import { experimentMetricsRoutes } from '../adapters/http/experiments/experiment-metrics-routes.ts';
import { experimentRoutes } from '../adapters/http/experiments/experiment-routes.ts';
import { experimentTagRoutes } from '../adapters/http/experiments/experiment-tag-routes.ts';
import { gateRoutes } from '../adapters/http/health/gate-routes.ts';
import { healthRoutes } from '../adapters/http/health/health-routes.ts';
import { shadowRoutes } from '../adapters/http/health/shadow-routes.ts';
import { insightsRoutes } from '../adapters/http/insights/insights-routes.ts';
import { integrationRoutes } from '../adapters/http/integrations/integration-routes.ts';
import { llmIntegrationRoutes } from '../adapters/http/integrations/llm-integration-routes.ts';
import { spendingRoutes } from '../adapters/http/integrations/spending-routes.ts';
import { jobRoutes } from '../adapters/http/jobs/job-routes.ts';
import { logStreamRoutes } from '../adapters/http/projects/log-stream-routes.ts';
import { projectRoutes } from '../adapters/http/projects/project-routes.ts';
import { projectTemplateRoutes } from '../adapters/http/prompts/project-template-routes.ts';
import { renderRoutes } from '../adapters/http/prompts/render-routes.ts';
import { templateRoutes } from '../adapters/http/prompts/template-routes.ts';
import { annotationQueueRoutes } from '../adapters/http/ratings/annotation-queue-routes.ts';
import { ratingRoutes } from '../adapters/http/ratings/rating-routes.ts';
import type { Route } from '../adapters/http/route.ts';
import { metricSettingsRoutes } from '../adapters/http/scorers/metric-settings-routes.ts';
import { recomputeRoutes } from '../adapters/http/scorers/recompute-routes.ts';
import { scoreRoutes } from '../adapters/http/scorers/score-routes.ts';
import { scorerRoutes } from '../adapters/http/scorers/scorer-routes.ts';
import { scorerVersionRoutes } from '../adapters/http/scorers/scorer-version-routes.ts';
import { suspensionRoutes } from '../adapters/http/scorers/suspension-routes.ts';
import { validationRoutes } from '../adapters/http/scorers/validation-routes.ts';
import { systemRoutes } from '../adapters/http/system-routes.ts';
import { columnRoutes } from '../adapters/http/traces/column-routes.ts';
import { exportRoutes } from '../adapters/http/traces/export-routes.ts';
import { metricsSearchRoutes } from '../adapters/http/traces/metrics-search-routes.ts';
import { recordRemovalRoutes } from '../adapters/http/traces/record-removal-routes.ts';
import { retentionRoutes } from '../adapters/http/traces/retention-routes.ts';
import { sessionRoutes } from '../adapters/http/traces/session-routes.ts';
import { traceGraphRoutes } from '../adapters/http/traces/trace-graph-routes.ts';
import { traceRoutes } from '../adapters/http/traces/trace-routes.ts';
import { alertRoutes } from '../adapters/http/trends/alert-routes.ts';
import { dashboardRoutes } from '../adapters/http/trends/dashboard-routes.ts';
import { widgetRoutes } from '../adapters/http/trends/widget-routes.ts';
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
  ...invitationRoutes(cradle),
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
