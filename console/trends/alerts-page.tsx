import type { Alert } from '../../core/trends/alert.ts';
import type { Widget } from '../../core/trends/widget.ts';
import { get } from '../api/client.ts';
import { toHref } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { LogStreamHead } from '../projects/log-stream-head.tsx';
import { getLogStream, type LogStreamPath, trendsPath } from './address.ts';
import { AlertStateBadge } from './alert-state.tsx';
import { alertFigure, alertPath, conditionText, loadAlerts, watchedText } from './alerts.ts';
import { type Channels, tellsByText, useChannels } from './channels.ts';

const LIVE_MS = 15_000;

/** All alerts of a log stream, and how they stand. */
export function AlertsPage({ params }: { params: Record<string, string> }) {
  const stream = getLogStream(params);
  return (
    <LogStreamHead {...stream} part="trends">
      <Alerts stream={stream} />
    </LogStreamHead>
  );
}

function Alerts({ stream }: { stream: LogStreamPath }) {
  const path = trendsPath(stream);
  const load = async (signal: AbortSignal) => {
    const [alerts, { widgets }] = await Promise.all([
      loadAlerts(stream, signal),
      get<{ widgets: Widget[] }>(`${path}/widgets`, { signal }),
    ]);
    return { alerts, widgets: new Map(widgets.map((one) => [one.id, one])) };
  };
  const channels = useChannels();
  const loaded = useLoaded(`${path} alerts with widgets`, load, { everyMs: LIVE_MS });
  return (
    <>
      <p>
        <a href={toHref(path)}>← Dashboard</a>
      </p>
      <Show loaded={loaded}>
        {({ alerts, widgets }) =>
          alerts.length === 0 ? (
            <Empty title="No alerts yet">
              <p>
                An alert watches one figure of the dashboard and tells when it is beyond a threshold. Make one with “Alert” at a
                widget of the <a href={toHref(path)}>dashboard</a>.
              </p>
            </Empty>
          ) : (
            <AlertTable stream={stream} alerts={alerts} widgets={widgets} channels={channels.value} />
          )
        }
      </Show>
    </>
  );
}

interface AlertTableProps {
  readonly stream: LogStreamPath;
  readonly alerts: readonly Alert[];
  readonly widgets: ReadonlyMap<string, Widget>;
  /** Undefined while they are loaded. */
  readonly channels: Channels | undefined;
}

const AlertTable = ({ stream, alerts, widgets, channels }: AlertTableProps) => (
  <Table class="table table-hover table-rows">
    <TableHeaders of={['Name', 'Status', 'Since', 'Watches', 'Triggers when', 'Channel', { end: 'Last figure' }]} />
    <tbody>
      {alerts.map((alert) => {
        const widget = widgets.get(alert.widget_id);
        return (
          <tr key={alert.id}>
            <td>
              <a href={toHref(alertPath(stream, alert.id))}>{alert.name}</a>
            </td>
            <td>
              <AlertStateBadge alert={alert} />
            </td>
            <td>
              <Time at={alert.state_since} />
            </td>
            <td>{widget?.name ?? <span class="text-body-secondary">a widget that is gone</span>}</td>
            <td>{conditionText(alert, widget)}</td>
            <td>{tellsByText(channels, alert)}</td>
            <td class="text-end">{watchedText(alertFigure(alert, widget), alert.last_value)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
