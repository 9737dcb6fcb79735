import { useState } from 'preact/hooks';
import type { GivenSeries, Widget } from '../../core/trends/widget.ts';
import type { WidgetData } from '../../core/trends/widget-query.ts';
import { toHref } from '../kit/location.ts';
import { Waiting } from '../kit/notices.tsx';
import { trendsPath } from './address.ts';
import { AlertDialog } from './alert-dialog.tsx';
import { AlertStateBadge } from './alert-state.tsx';
import { getWidgetSize } from './arrangement.ts';
import type { Dashboard } from './dashboard.ts';
import { isApproximate } from './figures.ts';
import { filterText, listFilters } from './typed-filter.ts';
import { WidgetBody } from './widget-body.tsx';
import { WidgetTools } from './widget-tools.tsx';

/** Of a metric without values: a scorer that was enabled just now is no failure. */
const NOTHING_YET = 'metric_without_values';

/** One widget: what it shows, what is wrong with it, who watches it, and in an edited dashboard how to change it. */
export function WidgetCard({ widget, dashboard }: { widget: Widget; dashboard: Dashboard }) {
  const { stream, data, changes, alerts, isEdited } = dashboard;
  const shown = data?.get(widget.id);
  const own = alerts.filter(({ widget_id }) => widget_id === widget.id);
  const [watching, setWatching] = useState(false);
  return (
    <article class={`widget card ${getWidgetSize(widget)}`} aria-label={widget.name}>
      <header class="d-flex flex-wrap gap-2 align-items-center">
        <h3 class="h6 mb-0 me-auto" title={widget.description || undefined}>
          {widget.name}
        </h3>
        {own.map((alert) => (
          <a key={alert.id} href={toHref(`${trendsPath(stream)}/alerts/${alert.id}`)} title={`Alert ${alert.name}`}>
            <AlertStateBadge alert={alert} />
          </a>
        ))}
        {!isEdited && (
          <button
            type="button"
            class="btn btn-sm btn-link p-0 quiet"
            aria-label={`Add an alert to ${widget.name}`}
            aria-haspopup="dialog"
            onClick={() => setWatching(true)}
          >
            Alert
          </button>
        )}
        {isEdited && <WidgetTools widget={widget} dashboard={dashboard} />}
      </header>
      {widget.description && <p class="small text-body-secondary mb-0">{widget.description}</p>}
      {shown?.problems.map(({ index, code, message }) =>
        code === NOTHING_YET ? (
          <p key={index} class="small text-body-secondary mb-0">
            No values yet.
          </p>
        ) : (
          <p key={index} class="small text-danger-emphasis mb-0" role="alert">
            {message}
          </p>
        ),
      )}
      {shown ? <WidgetBody widget={widget} data={shown} changes={changes} stream={stream} /> : data === undefined && <Waiting />}
      <SeriesNotes widget={widget} data={shown} />
      {watching && <AlertDialog stream={stream} widget={widget} onClose={() => setWatching(false)} onSaved={dashboard.reload} />}
    </article>
  );
}

/** Notes on the figures above: their filters and groups, what is left out, what is not exact. */
function SeriesNotes({ widget, data }: { widget: Widget; data: WidgetData | undefined }) {
  const series = widget.dataset as GivenSeries[];
  const grouped = [...new Set(series.flatMap(({ group_by }) => group_by ?? []))];
  const filters = [
    ...new Set(
      series.flatMap((one) => [...listFilters(one.filters), ...listFilters(one.filter_tree)].map((filter) => filterText(filter))),
    ),
  ];
  const notes = [
    ...(grouped.length > 0 ? [`by ${grouped.join(', ')}`] : []),
    ...(filters.length > 0 ? [`where ${filters.join(', ')}`] : []),
    ...(data && data.groups_left_out > 0 ? [`${data.groups_left_out} smaller groups left out`] : []),
    ...(data && isApproximate(data) ? ['≈ within 1 % of the exact percentile'] : []),
  ];
  return notes.length > 0 ? <p class="small text-body-secondary mb-0 mt-auto">{notes.join(' · ')}</p> : null;
}
