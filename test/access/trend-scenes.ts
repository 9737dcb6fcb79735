import type { TestServer } from '../http/harness.ts';
import type { Ids } from './row.ts';

/** A dashboard with one section, one widget in it. */
export async function makeDashboard({ cradle }: TestServer, ids: Ids, text: string): Promise<void> {
  const { project_id, log_stream_id, widget_id, name } = ids;
  const facts = { type: 'number', metric: 'records', aggregation: 'Count' } as const;
  const widget = { dataset: [], id: widget_id, name: 'traces', description: text, ...facts };
  const sections = [{ id: name, name: text, widgets: [widget] }];
  await cradle.dashboardStore.change(project_id, log_stream_id, () => ({ sections, known_metrics: [] }));
}

export const pictureOfTrends = async ({ cradle }: TestServer, { project_id, log_stream_id }: Ids): Promise<unknown> => [
  await cradle.dashboardStore.find(project_id, log_stream_id),
];
