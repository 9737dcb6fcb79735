import { atFirst } from '../../../core/trends/alert.ts';
import type { TestServer } from '../../http/harness.ts';
import type { Ids } from '../row.ts';
import { ALL, now } from '../scene.ts';

/** A dashboard with two sections, one known by a word and one by an id, one widget in the first, an alert on that, and an insight. */
export async function makeDashboard(server: TestServer, ids: Ids, text: string): Promise<void> {
  const { cradle } = server;
  const { project_id, log_stream_id, section_id, widget_id, name } = ids;
  const facts = { type: 'number', metric: 'records', aggregation: 'Count' } as const;
  const widget = { dataset: [], id: widget_id, name: 'traces', description: text, ...facts };
  const sections = [
    { id: name, name: text, widgets: [widget] },
    { id: section_id, name: text, widgets: [] },
  ];
  await cradle.dashboardStore.change(project_id, log_stream_id, () => ({ sections, known_metrics: [] }));
  await makeAlert(server, ids, text);
  await makeInsight(server, ids, text);
}

async function makeAlert({ cradle }: TestServer, ids: Ids, name: string): Promise<void> {
  const { project_id, log_stream_id: run_id, widget_id, alert_id: id } = ids;
  const condition = { operator: 'above', threshold: 1, for_buckets: 1, no_data_buckets: null } as const;
  const facts = { created_by: null, created_at: now(), updated_at: now(), is_enabled: true, webhook_url: null };
  const settings = { name, widget_id, series_index: 0, interval: 'hour', ...condition, ...facts } as const;
  const secrets = cradle.secretBox.seal(id, [{ path: ['webhook_secret'], text: cradle.webhookSigner.newSecret() }]);
  await cradle.alertStore.insert({ project_id, run_id, id, settings, progress: atFirst(now()) }, secrets);
}

async function makeInsight({ cradle }: TestServer, ids: Ids, text: string): Promise<void> {
  const { project_id, log_stream_id, insight_id } = ids;
  const words = { title: text, observation: text, details: text, suggested_action: text };
  const facts = { kind: 'tool_loop', priority_category: 'info', occurrences: 1 } as const;
  await cradle.insightStore.record(project_id, log_stream_id, insight_id, { key: 'one', records: [], ...facts, ...words }, now());
}

export const pictureOfTrends = async ({ cradle }: TestServer, { project_id, log_stream_id, alert_id }: Ids): Promise<unknown> => [
  await cradle.dashboardStore.find(project_id, log_stream_id),
  await cradle.alertStore.list(project_id, log_stream_id),
  await cradle.insightStore.findSettings(project_id, log_stream_id),
  await cradle.insightStore.list(project_id, log_stream_id, undefined, ALL),
  await cradle.alertStore.findSecrets(project_id, alert_id),
];
