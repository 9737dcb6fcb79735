import '../styles/trends.css';
import type { Alert } from '../../core/trends/alert.ts';
import type { TrendsDashboard } from '../../core/trends/dashboard.ts';
import type { WidgetData } from '../../core/trends/widget-query.ts';
import { get, post } from '../api/client.ts';
import { toHref, useView } from '../kit/location.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { type Loaded, useLoaded } from '../kit/use-loaded.ts';
import { LogStreamHead } from '../projects/log-stream-head.tsx';
import { getLogStream, type LogStreamPath, trendsPath } from './address.ts';
import { loadAlerts } from './alerts.ts';
import { loadTrendChanges } from './changes.ts';
import type { Dashboard } from './dashboard.ts';
import { DashboardTools } from './dashboard-tools.tsx';
import { hasNumbers } from './figures.ts';
import { NewestRecords } from './newest-records.tsx';
import { Section } from './section.tsx';
import { TimePicker } from './time-picker.tsx';
import { isRolling, queryTime, readTime, type TimeView } from './time-range.ts';

const LIVE_MS = 15_000;

/** The dashboard of a log stream: charts of its records over time. */
export function TrendsPage({ params }: { params: Record<string, string> }) {
  const stream = getLogStream(params);
  return (
    <LogStreamHead {...stream} part="trends">
      <Trends stream={stream} />
    </LogStreamHead>
  );
}

function Trends({ stream }: { stream: LogStreamPath }) {
  const [view, change] = useView();
  const path = trendsPath(stream);
  const time = readTime(view);
  const isEdited = view.get('edit') === 'on';
  const only = view.get('widget') ?? undefined;
  const isLive = isRolling(time) && view.get('live') !== 'off';
  const trends = useLoaded(path, (signal) => get<TrendsDashboard>(path, { signal }));
  const alerts = useLoaded(`${path} alerts`, (signal) => loadAlerts(stream, signal), { everyMs: isLive ? LIVE_MS : undefined });
  const metrics = useLoaded(`${path} metrics ${isEdited}`, (signal) => loadMetrics(path, isEdited, signal));
  const data = useData(path, time, only, isLive);
  const changes = useLoaded(`${path} changes ${JSON.stringify([time, only])}`, (signal) =>
    loadTrendChanges(path, toQuery(time, only), signal),
  );
  const reload = (): void => {
    for (const one of [trends, alerts, data, changes]) one.reload();
  };
  return (
    <>
      <div class="d-flex flex-wrap gap-2 align-items-center mb-3">
        <TimePicker time={time} isLive={isLive} change={change} />
        {only && <a href={toHref(path)}>All widgets</a>}
        <span class="ms-auto" />
        <AlertsLink stream={stream} alerts={alerts.value ?? []} />
        <a class="btn btn-sm btn-outline-secondary" href={toHref(toggled(path, view, isEdited))}>
          {isEdited ? 'Done' : 'Edit dashboard'}
        </a>
      </div>
      <Show loaded={data}>
        {(byWidget) => [...byWidget.values()].every((one) => !hasNumbers(one)) && <NewestRecords stream={stream} time={time} />}
      </Show>
      <Failure error={changes.error} onRetry={changes.reload} />
      {changes.value?.problems.map(({ code, message }) => (
        <p key={code} class="small text-body-secondary mb-2">
          Changes: {message}.
        </p>
      ))}
      <Show loaded={trends}>
        {(known) => {
          const dashboard: Dashboard = {
            stream,
            trends: known,
            data: data.value,
            changes: changes.value,
            alerts: alerts.value ?? [],
            metrics: metrics.value ?? [],
            isEdited,
            reload,
          };
          return (
            <>
              {isEdited && <DashboardTools dashboard={dashboard} />}
              {sectionsWith(known, only).map((section) => (
                <Section key={section.id} section={section} dashboard={dashboard} />
              ))}
            </>
          );
        }}
      </Show>
    </>
  );
}

/** The sections, of those widgets alone that the address names. */
const sectionsWith = ({ sections }: TrendsDashboard, only: string | undefined): TrendsDashboard['sections'] =>
  only === undefined
    ? sections
    : sections
        .map((section) => ({ ...section, widgets: section.widgets.filter(({ id }) => id === only) }))
        .filter(({ widgets }) => widgets.length > 0);

const toQuery = (time: TimeView, only: string | undefined) => ({
  ...queryTime(time, new Date()),
  ...(only !== undefined && { widget_ids: [only] }),
});

function useData(
  path: string,
  time: TimeView,
  only: string | undefined,
  isLive: boolean,
): Loaded<ReadonlyMap<string, WidgetData>> {
  const load = async (signal: AbortSignal): Promise<ReadonlyMap<string, WidgetData>> => {
    const { widgets } = await post<{ widgets: WidgetData[] }>(`${path}/widgets/query`, toQuery(time, only), { signal });
    return new Map(widgets.map((one) => [one.widget_id, one]));
  };
  return useLoaded(`${path} data ${JSON.stringify([time, only])}`, load, { everyMs: isLive ? LIVE_MS : undefined });
}

/** To choose from when widgets are edited. */
async function loadMetrics(path: string, isEdited: boolean, signal: AbortSignal): Promise<readonly string[]> {
  if (!isEdited) return [];
  const { metrics } = await get<{ metrics: string[] }>(`${path}/metrics`, { signal });
  return [...new Set(['records', 'errors', ...metrics])];
}

function toggled(path: string, view: URLSearchParams, isEdited: boolean): string {
  const other = new URLSearchParams(view);
  if (isEdited) other.delete('edit');
  else other.set('edit', 'on');
  return other.size > 0 ? `${path}?${other}` : path;
}

/** The way to all alerts, with how many fire. */
function AlertsLink({ stream, alerts }: { stream: LogStreamPath; alerts: readonly Alert[] }) {
  const firing = alerts.filter(({ state, is_enabled }) => is_enabled && state === 'firing').length;
  return (
    <a class="btn btn-sm btn-outline-secondary" href={toHref(`${trendsPath(stream)}/alerts`)}>
      Alerts{alerts.length > 0 && ` (${alerts.length})`}
      {firing > 0 && <span class="badge text-bg-danger ms-1">{firing} firing</span>}
    </a>
  );
}
