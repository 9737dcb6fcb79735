import type { GivenSeries, Widget } from '../../core/trends/widget.ts';
import type { WidgetData } from '../../core/trends/widget-query.ts';
import { isApproximate } from './figures.ts';
import { filterText, listFilters } from './typed-filter.ts';

/** Notes on the figures above: their filters and groups, what is left out, what is not exact. */
export function SeriesNotes({ widget, data }: { widget: Widget; data: WidgetData | undefined }) {
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
