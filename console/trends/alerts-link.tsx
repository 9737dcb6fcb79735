import type { Alert } from '../../core/trends/alert.ts';
import { toHref } from '../kit/location.ts';
import { type LogStreamPath, trendsPath } from './address.ts';

/** The way to all alerts, with how many fire. */
export function AlertsLink({ stream, alerts }: { stream: LogStreamPath; alerts: readonly Alert[] }) {
  const firing = alerts.filter(({ state, is_enabled }) => is_enabled && state === 'firing').length;
  return (
    <a class="btn btn-sm btn-outline-secondary" href={toHref(`${trendsPath(stream)}/alerts`)}>
      Alerts{alerts.length > 0 && ` (${alerts.length})`}
      {firing > 0 && <span class="badge text-bg-danger ms-1">{firing} firing</span>}
    </a>
  );
}
