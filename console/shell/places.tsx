import { type ComponentType, lazy, Suspense } from 'preact/compat';
import { Route, Switch } from 'wouter-preact';
import { Empty, Waiting } from '../kit/notices.tsx';
import { PLACE_PATHS, type PlacePath } from './place-paths.ts';

type Place = ComponentType<{ params: Record<string, string> }>;
const place = (load: () => Promise<Place>): Place => lazy(() => load().then((component) => ({ default: component })));

/** The part that shows each address; parts are fetched when they are first gone to. */
const PLACES: Readonly<Record<PlacePath, Place>> = {
  '/': place(async () => (await import('../projects/projects-page.tsx')).ProjectsPage),
  '/projects/:project_id': place(async () => (await import('../projects/project-page.tsx')).ProjectPage),
  '/projects/:project_id/sharing': place(async () => (await import('../projects/project-sharing-page.tsx')).ProjectSharingPage),
  '/projects/:project_id/settings': place(
    async () => (await import('../projects/project-settings-page.tsx')).ProjectSettingsPage,
  ),
  '/projects/:project_id/masking': place(async () => (await import('../masking/masking-page.tsx')).MaskingPage),
  '/projects/:project_id/spending': place(async () => (await import('../prices/spending-page.tsx')).SpendingPage),
  '/prompts': place(async () => (await import('../prompts/prompts-page.tsx')).PromptsPage),
  '/prompts/:template_id': place(async () => (await import('../prompts/prompt-page.tsx')).PromptPage),
  '/integrations/prices': place(async () => (await import('../prices/prices-page.tsx')).PricesPage),
  '/integrations': place(async () => (await import('../integrations/integrations-page.tsx')).IntegrationsPage),
  '/integrations/:integration_id': place(async () => (await import('../integrations/integration-page.tsx')).IntegrationPage),
  '/people': place(async () => (await import('../people/users-page.tsx')).UsersPage),
  '/people/groups': place(async () => (await import('../people/groups-page.tsx')).GroupsPage),
  '/people/groups/:group_id': place(async () => (await import('../people/group-page.tsx')).GroupPage),
  '/people/keys': place(async () => (await import('../people/keys-page.tsx')).KeysPage),
  '/audit': place(async () => (await import('../audit/audit-page.tsx')).AuditLogPage),
  '/projects/:project_id/traces/compare': place(async () => (await import('../traces/diff/trace-diff-page.tsx')).TraceDiffPage),
  '/projects/:project_id/traces/:trace_id': place(async () => (await import('../traces/trace-page.tsx')).TracePage),
  '/projects/:project_id/experiments': place(async () => (await import('../experiments/experiments-page.tsx')).ExperimentsPage),
  '/projects/:project_id/experiments/compare': place(async () => (await import('../experiments/compare-page.tsx')).ComparePage),
  '/projects/:project_id/experiments/:experiment_id': place(
    async () => (await import('../experiments/experiment-page.tsx')).ExperimentPage,
  ),
  '/projects/:project_id/experiments/:experiment_id/records': place(
    async () => (await import('../experiments/experiment-records-page.tsx')).ExperimentRecordsPage,
  ),
  '/projects/:project_id/playground': place(async () => (await import('../playground/playground-page.tsx')).PlaygroundPage),
  '/projects/:project_id/bookmarks': place(async () => (await import('../bookmarks/bookmarks-page.tsx')).BookmarksPage),
  '/projects/:project_id/annotation': place(async () => (await import('../annotation/queues-page.tsx')).QueuesPage),
  '/projects/:project_id/annotation/:queue_id': place(async () => (await import('../annotation/queue-page.tsx')).QueuePage),
  '/datasets': place(async () => (await import('../datasets/datasets-page.tsx')).DatasetsPage),
  '/datasets/:dataset_id': place(async () => (await import('../datasets/dataset-page.tsx')).DatasetPage),
  '/datasets/:dataset_id/versions': place(async () => (await import('../datasets/versions-page.tsx')).VersionsPage),
  '/datasets/:dataset_id/diff': place(async () => (await import('../datasets/diff-page.tsx')).DiffPage),
  '/datasets/:dataset_id/sharing': place(async () => (await import('../datasets/sharing-page.tsx')).SharingPage),
  '/projects/:project_id/log_streams/:log_stream_id/flow': place(async () => (await import('../traces/flow-page.tsx')).FlowPage),
  '/projects/:project_id/log_streams/:log_stream_id/sessions/:session_id': place(
    async () => (await import('../sessions/session-page.tsx')).SessionPage,
  ),
  '/projects/:project_id/log_streams/:log_stream_id': place(
    async () => (await import('../records/records-page.tsx')).RecordsPage,
  ),
  '/projects/:project_id/log_streams/:log_stream_id/scorers': place(
    async () => (await import('../records/scoring/scoring-page.tsx')).ScoringPage,
  ),
  '/projects/:project_id/log_streams/:log_stream_id/settings': place(
    async () => (await import('../records/settings-page.tsx')).LogStreamSettingsPage,
  ),
  '/projects/:project_id/log_streams/:log_stream_id/trends': place(
    async () => (await import('../trends/trends-page.tsx')).TrendsPage,
  ),
  '/projects/:project_id/log_streams/:log_stream_id/trends/alerts': place(
    async () => (await import('../trends/alerts-page.tsx')).AlertsPage,
  ),
  '/projects/:project_id/log_streams/:log_stream_id/trends/alerts/:alert_id': place(
    async () => (await import('../trends/alert-page.tsx')).AlertPage,
  ),
  '/projects/:project_id/log_streams/:log_stream_id/agreement': place(
    async () => (await import('../agreement/agreement-page.tsx')).AgreementPage,
  ),
  '/projects/:project_id/log_streams/:log_stream_id/insights': place(
    async () => (await import('../insights/insights-page.tsx')).InsightsPage,
  ),
  '/scorers': place(async () => (await import('../scorers/scorers-page.tsx')).ScorersPage),
  '/scorers/:scorer_id/:part?': place(async () => (await import('../scorers/scorer-page.tsx')).ScorerPage),
};

export const Places = () => (
  <Suspense fallback={<Waiting />}>
    <Switch>
      {PLACE_PATHS.map((path) => (
        <Route key={path} path={path} component={PLACES[path]} />
      ))}
      <Route>
        <Empty title="Page not found">
          <p>
            The address may be mistyped, or what it showed was deleted. <a href="#/">All projects</a>
          </p>
        </Empty>
      </Route>
    </Switch>
  </Suspense>
);
