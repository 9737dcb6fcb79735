import type { Role, Row } from '../row.ts';

const TIME = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-01T01:00:00Z' };

/** On the trends of a log stream; one of another project is no log stream of this one. */
const onTrends = (operation: string, needs: Role, more: Partial<Row> = {}): Row =>
  ({ operation, on: 'project', needs, ...more, mixed: { log_stream_id: 404, ...more.mixed } }) as Row;

/** Sections are known by texts: that of a fixture object has the name of its project. */
const ofSection = { path: { section_id: 'name' } } as const;

export const TRENDS: readonly Row[] = [
  onTrends('getTrendsDashboard', 'viewer'),
  onTrends('listTrendsMetrics', 'viewer'),
  onTrends('exportTrendsDashboard', 'viewer'),
  onTrends('importTrendsDashboard', 'editor', { body: () => ({ version: 1, sections: [] }) }),
  onTrends('orderTrendsDashboard', 'editor', {
    body: ({ name, section_id, widget_id }) => ({
      sections: [
        { id: name, widget_ids: [widget_id] },
        { id: section_id, widget_ids: [] },
      ],
    }),
    mixed: { widget_id: 422, section_id: 422 },
    words: ['section_id'],
  }),
  onTrends('createTrendsSection', 'editor', { body: () => ({ name: 'new' }) }),
  onTrends('updateTrendsSection', 'editor', { ...ofSection, body: () => ({ name: 'new' }) }),
  onTrends('deleteTrendsSection', 'editor', { ...ofSection, ok: 204 }),
  onTrends('createWidget', 'editor', { body: ({ name }) => ({ name: 'new', metric: 'cost', section_id: name }) }),
  // A section that is nowhere is made; one of somebody else's dashboard is not.
  onTrends('createWidget', 'editor', {
    variant: 'in a section known by its id',
    body: ({ section_id }) => ({ name: 'new', metric: 'cost', section_id }),
    mixed: { section_id: 404 },
    known: ['section_id'],
    words: ['section_id'],
  }),
  onTrends('listWidgets', 'viewer'),
  onTrends('queryWidgets', 'viewer', {
    body: ({ widget_id }) => ({ ...TIME, widget_ids: [widget_id] }),
    mixed: { widget_id: 404 },
  }),
  onTrends('queryTrendChanges', 'viewer', {
    body: ({ widget_id }) => ({ ...TIME, widget_ids: [widget_id] }),
    mixed: { widget_id: 404 },
  }),
  onTrends('getWidget', 'viewer', { mixed: { widget_id: 404 } }),
  onTrends('queryWidget', 'viewer', { body: () => TIME, mixed: { widget_id: 404 } }),
  onTrends('updateWidget', 'editor', { body: () => ({ name: 'new' }), mixed: { widget_id: 404 } }),
  onTrends('updateWidget', 'editor', {
    variant: 'into a section known by its id',
    body: ({ section_id }) => ({ section_id }),
    mixed: { widget_id: 404, section_id: 404 },
    known: ['section_id'],
    words: ['section_id'],
  }),
  onTrends('deleteWidget', 'editor', { ok: 204, mixed: { widget_id: 404 } }),
  onTrends('createAlert', 'editor', {
    body: ({ widget_id }) => ({ name: 'new', widget_id, operator: 'above', threshold: 1 }),
    mixed: { widget_id: 404 },
  }),
  onTrends('listAlerts', 'viewer'),
  onTrends('getAlert', 'viewer', { mixed: { alert_id: 404 } }),
  onTrends('updateAlert', 'editor', { body: () => ({ threshold: 2 }), mixed: { alert_id: 404 } }),
  onTrends('deleteAlert', 'editor', { ok: 204, mixed: { alert_id: 404 } }),
  onTrends('listAlertTransitions', 'viewer', { mixed: { alert_id: 404 } }),
  onTrends('listAlertDeliveries', 'viewer', { mixed: { alert_id: 404 } }),
  // Whoever may ask is told that there is nowhere to send it.
  onTrends('testAlert', 'editor', { ok: 422, mixed: { alert_id: 404 } }),
  onTrends('renewAlertSecret', 'editor', { mixed: { alert_id: 404 } }),
];

const ofRoute = { mixed: { route_id: 404 } } as const;

export const NOTIFICATION_ROUTES: readonly Row[] = [
  {
    ...{ operation: 'createNotificationRoute', on: 'project', needs: 'editor' },
    body: () => ({ name: 'new', channel: 'email', channel_settings: { to: 'on-call@example.org' } }),
  },
  { operation: 'listNotificationRoutes', on: 'project', needs: 'viewer' },
  { operation: 'getNotificationRoute', on: 'project', needs: 'viewer', ...ofRoute },
  { operation: 'updateNotificationRoute', on: 'project', needs: 'editor', body: () => ({ name: 'new' }), ...ofRoute },
  { operation: 'deleteNotificationRoute', on: 'project', needs: 'editor', ok: 204, ...ofRoute },
  { operation: 'testNotificationRoute', on: 'project', needs: 'editor', ...ofRoute },
  { operation: 'renewNotificationRouteSecret', on: 'project', needs: 'editor', ...ofRoute },
];

const onRun = (operation: string, needs: Role, more: Partial<Row> = {}): Row =>
  onTrends(operation, needs, { path: { run_id: 'log_stream_id' }, ...more });

export const INSIGHTS: readonly Row[] = [
  onRun('getInsightsSettings', 'viewer'),
  onRun('updateInsightsSettings', 'editor', { body: () => ({ insights: { logstream: { enabled: true } } }) }),
  onRun('listInsights', 'viewer'),
  onRun('updateInsight', 'editor', { body: () => ({ status: 'dismissed' }), mixed: { insight_id: 404 } }),
];
