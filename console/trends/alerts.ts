import type { Alert, NewAlert } from '../../core/trends/alert.ts';
import type { GivenSeries, Widget } from '../../core/trends/widget.ts';
import { get } from '../api/client.ts';
import { DURATION_HELP, durationIn, exactDuration } from '../kit/duration.ts';
import { type LogStreamPath, trendsPath } from './address.ts';
import { type Figure, figureText, isDurationFigure } from './figures.ts';
import { toWidgetDraft } from './widget-draft.ts';

/** Where nobody chose. */
const REFERENCE_DAYS = 7;

export const alertPath = (stream: LogStreamPath, id: string): string => `${trendsPath(stream)}/alerts/${id}`;

export async function loadAlerts(stream: LogStreamPath, signal: AbortSignal): Promise<readonly Alert[]> {
  const { alerts } = await get<{ alerts: Alert[] }>(`${trendsPath(stream)}/alerts`, { signal });
  return alerts;
}

const STATES: Readonly<Record<Alert['state'], string>> = { ok: 'ok', pending: 'pending', firing: 'firing', no_data: 'no data' };
export const stateText = (state: Alert['state']): string => STATES[state];

/** The figure of one series of a widget; undefined where the widget is gone. */
export function watchedFigure(widget: Widget | undefined, series_index: number): Figure | undefined {
  if (!widget) return undefined;
  const own = (widget.dataset[series_index] ?? {}) as GivenSeries;
  return { metric: own.metric ?? widget.metric, aggregation: own.aggregation ?? widget.aggregation };
}

/** The figure that an alert watches; undefined for drift, which has no unit, and where the widget is gone. */
export const alertFigure = ({ watches, series_index }: Pick<Alert, 'watches' | 'series_index'>, widget: Widget | undefined) =>
  watches === 'drift' ? undefined : watchedFigure(widget, series_index);

/** A value of what an alert watches. */
export function watchedText(figure: Figure | undefined, value: number | null): string | number | null {
  return figure ? figureText(figure.metric, figure.aggregation)(value) : value;
}

/** When the alert fires, in words: "above 5 for 3 hours". */
export function conditionText(alert: Alert, widget: Widget | undefined): string {
  const { operator, threshold, for_buckets, interval, watches, reference_days } = alert;
  const drift = watches === 'drift' ? `drift from the ${reference_days} days before ` : '';
  const time = for_buckets === 1 ? `one ${interval}` : `${for_buckets} ${interval}s in a row`;
  return `${drift}${operator} ${thresholdText(threshold, alertFigure(alert, widget))} for ${time}`;
}

/** Lists the series of a widget that an alert can watch. */
export function seriesChoices(widget: Widget | undefined): readonly { readonly id: string; readonly label: string }[] {
  return (widget ? toWidgetDraft(widget).series : []).map(({ label, metric }, index) => ({
    id: String(index),
    label: label || metric || widget!.name,
  }));
}

/** Unit of a threshold, where that is not plain. */
export function unitHelp(figure: Figure | undefined): string | undefined {
  if (!figure) return undefined;
  if (isDurationFigure(figure)) return DURATION_HELP;
  return figure.aggregation.startsWith('Percentage') ? 'In percent.' : undefined;
}

/** A threshold as it is typed. */
export const thresholdText = (threshold: number, figure: Figure | undefined): string =>
  figure && isDurationFigure(figure) ? exactDuration(threshold) : String(threshold);

/** Beside whom it tells. */
export type AlertForm = Omit<NewAlert, 'widget_id' | 'webhook_url' | 'channel' | 'channel_settings'>;

/** The fields of the form in the words of the API. What is left empty is not there. Throws an Error for a duration that is none. */
export function toAlert(values: FormData, widget: Widget | undefined): AlertForm {
  const text = (name: string): string => String(values.get(name) ?? '').trim();
  const series_index = Number(text('series_index'));
  const watches = text('watches') === 'drift' ? 'drift' : 'value';
  const figure = alertFigure({ watches, series_index }, widget);
  return {
    name: text('name'),
    series_index,
    watches,
    reference_days: Number(text('reference_days')) || REFERENCE_DAYS,
    interval: text('interval') as AlertForm['interval'],
    operator: text('operator') as AlertForm['operator'],
    threshold: figure && isDurationFigure(figure) ? durationIn(text('threshold')) : Number(text('threshold')),
    for_buckets: Number(text('for_buckets')),
    no_data_buckets: text('no_data_buckets') === '' ? null : Number(text('no_data_buckets')),
    is_enabled: values.has('is_enabled'),
    ...toTelling(values, text),
  };
}

type Telling = Pick<AlertForm, 'no_data' | 'severity' | 'quiet_hours' | 'muted_until' | 'reminder_minutes'>;

/** How the alert tells. Quiet hours are there where both times are. */
function toTelling(values: FormData, text: (name: string) => string): Telling {
  const [from, until, muted] = [text('quiet_from'), text('quiet_until'), text('muted_until')];
  const days = values.getAll('quiet_day') as NonNullable<AlertForm['quiet_hours']>['days'];
  return {
    no_data: text('no_data') as AlertForm['no_data'],
    severity: text('severity') as AlertForm['severity'],
    quiet_hours: from && until ? { time_zone: text('quiet_zone'), days, from, until } : null,
    muted_until: muted === '' ? null : new Date(muted).toISOString(),
    reminder_minutes: text('reminder_minutes') === '' ? null : Number(text('reminder_minutes')),
  };
}
