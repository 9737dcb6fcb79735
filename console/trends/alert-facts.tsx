import { Fragment } from 'preact';
import type { Alert } from '../../core/trends/alert.ts';
import type { Widget } from '../../core/trends/widget.ts';
import { toHref } from '../kit/location.ts';
import { Time } from '../kit/time.tsx';
import { type LogStreamPath, widgetPath } from './address.ts';
import { AlertStateBadge } from './alert-state.tsx';
import { alertFigure, conditionText, seriesChoices, watchedText } from './alerts.ts';
import { type Channels, tellsByText } from './channels.ts';

interface AlertFactsProps {
  readonly stream: LogStreamPath;
  readonly alert: Alert;
  readonly widget: Widget | undefined;
  /** Undefined while they are loaded. */
  readonly channels: Channels | undefined;
}

/** An alert's condition, state and recipients. */
export function AlertFacts({ stream, alert, widget, channels }: AlertFactsProps) {
  const choices = seriesChoices(widget);
  const series = choices.length > 1 ? choices[alert.series_index]?.label : undefined;
  const figure = watchedText(alertFigure(alert, widget), alert.last_value);
  return (
    <>
      <h2 class="h5 d-flex gap-2 align-items-center">
        {alert.name} <AlertStateBadge alert={alert} />
      </h2>
      {alert.problem && <p class="alert alert-warning py-2">{alert.problem}</p>}
      <dl class="facts">
        <dt>Watches</dt>
        <dd>
          {widget ? <a href={toHref(widgetPath(stream, widget.id))}>{widget.name}</a> : 'a widget that is gone'}
          {series && `, ${series}`}
        </dd>
        <dt>Triggers when</dt>
        <dd>{conditionText(alert, widget)}</dd>
        <dt>Severity</dt>
        <dd>{alert.severity}</dd>
        {alert.muted_until && (
          <>
            <dt>Muted until</dt>
            <dd>
              <Time at={alert.muted_until} />
            </dd>
          </>
        )}
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
        <dt>Channel</dt>
        <dd>{tellsByText(channels, alert)}</dd>
        {getToldSettings(alert).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd class="text-break">{value}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}

/** Settings without secrets; who may not change the alert sees where a webhook leads, without its path. */
function getToldSettings({ channel_settings, webhook_url }: Alert): (readonly [name: string, value: string])[] {
  const shown = channel_settings ?? (webhook_url === null ? {} : { url: webhook_url });
  return Object.entries(shown).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}
