import type { Alert } from '../../core/trends/alert.ts';
import { stateText } from './alerts.ts';

const LOOKS: Readonly<Record<Alert['state'], string>> = {
  ok: 'text-bg-success',
  pending: 'text-bg-warning',
  firing: 'text-bg-danger',
  no_data: 'text-bg-secondary',
};

export const StateBadge = ({ state }: { state: Alert['state'] }) => (
  <span class={`badge ${LOOKS[state]}`}>{stateText(state)}</span>
);

/** How an alert stands; one that is switched off stands nowhere. */
export function AlertStateBadge({ alert: { is_enabled, state, problem } }: { alert: Alert }) {
  if (!is_enabled) return <span class="badge text-bg-light border">off</span>;
  if (problem) return <span class="badge text-bg-warning">cannot be looked at</span>;
  return <StateBadge state={state} />;
}
