import type { Alert } from '../../core/trends/alert.ts';
import type { Widget } from '../../core/trends/widget.ts';
import { Time } from '../kit/time.tsx';
import { AlertStateBadge } from './alert-state.tsx';
import { conditionText, seriesChoices, watchedFigure, watchedText } from './alerts.ts';

/** What an alert watches, and how it stands. */
export function AlertFacts({ alert, widget }: { alert: Alert; widget: Widget | undefined }) {
  const choices = seriesChoices(widget);
  const series = choices.length > 1 ? choices[alert.series_index]?.label : undefined;
  const figure = watchedText(watchedFigure(widget, alert.series_index), alert.last_value);
  return (
    <>
      <h2 class="h5 d-flex gap-2 align-items-center">
        {alert.name} <AlertStateBadge alert={alert} />
      </h2>
      {alert.problem && <p class="alert alert-warning py-2">{alert.problem}</p>}
      <dl class="facts">
        <dt>Watches</dt>
        <dd>
          {widget?.name ?? 'a widget that is gone'}
          {series && `, ${series}`}
        </dd>
        <dt>Fires when</dt>
        <dd>{conditionText(alert, widget)}</dd>
        <dt>Since</dt>
        <dd>
          <Time at={alert.state_since} />
        </dd>
        <dt>Last figure</dt>
        <dd>
          {figure ?? '–'}
          {alert.evaluated_until && (
            <>
              , up to <Time at={alert.evaluated_until} />
            </>
          )}
        </dd>
        <dt>Webhook</dt>
        <dd class="text-break">{alert.webhook_url ?? 'none'}</dd>
        {alert.channel !== null && alert.webhook_url === null && (
          <>
            <dt>Told by</dt>
            <dd>{alert.channel}</dd>
          </>
        )}
      </dl>
    </>
  );
}
