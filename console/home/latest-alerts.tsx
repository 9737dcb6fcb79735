import type { Alert } from '../../core/trends/alert.ts';
import { toHref } from '../kit/location.ts';
import { Show, Skeleton } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { AlertStateBadge } from '../trends/alert-state.tsx';
import { alertPath, loadAlerts } from '../trends/alerts.ts';
import type { ProjectStream } from './streams.ts';

const SHOWN = 5;

interface LatestAlertsProps {
  readonly project_id: string;
  readonly streams: readonly ProjectStream[];
}

/** The alerts of the log streams: those that fire first, then those that changed last. */
export function LatestAlerts({ project_id, streams }: LatestAlertsProps) {
  const loaded = useLoaded(`home alerts ${streams.map(({ id }) => id)}`, async (signal) => {
    const found = streams.map(async (stream) => {
      const alerts = await loadAlerts({ project_id, log_stream_id: stream.id }, signal);
      return alerts.map((alert) => ({ alert, stream }));
    });
    return (await Promise.all(found))
      .flat()
      .toSorted((a, b) => compareAlerts(a.alert, b.alert))
      .slice(0, SHOWN);
  });
  return (
    <section class="home-card" aria-label="Alerts">
      <h2 class="home-title">Alerts</h2>
      <Show loaded={loaded} waiting={<Skeleton what="alerts" height="6rem" />}>
        {(alerts) =>
          alerts.length === 0 ? (
            <p class="mb-0">
              No alerts yet. Make one with “Alert” at a chart of the{' '}
              <a href={toHref(`${streams[0]!.path}/trends`)}>trends of {streams[0]!.name}</a>.
            </p>
          ) : (
            <ul class="home-list">
              {alerts.map(({ alert, stream }) => (
                <li key={alert.id}>
                  <AlertStateBadge alert={alert} />{' '}
                  <a href={toHref(alertPath({ project_id, log_stream_id: stream.id }, alert.id))} dir="auto">
                    {alert.name}
                  </a>
                  <div class="small text-body-secondary">
                    {stream.name} · <Time at={alert.state_since} />
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
}

const isFiring = ({ is_enabled, state }: Alert): boolean => is_enabled && state === 'firing';

const compareAlerts = (a: Alert, b: Alert): number =>
  Number(isFiring(b)) - Number(isFiring(a)) || Date.parse(b.state_since) - Date.parse(a.state_since);
