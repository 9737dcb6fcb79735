import type { TrendsDashboard } from '../../core/trends/dashboard.ts';
import type { Widget } from '../../core/trends/widget.ts';

/** Where a widget or a section goes. */
export type Step = -1 | 1;
export interface WidgetPlace {
  readonly section_id: string;
  readonly position: number;
}

/** One place on: within the section, and beyond its ends into the one beside it. Undefined at the ends of the dashboard. */
export function placeBeside({ sections }: TrendsDashboard, widget: Widget, step: Step): WidgetPlace | undefined {
  const at = sections.findIndex(({ id }) => id === widget.section_id);
  const { widgets = [] } = sections[at] ?? {};
  const position = widgets.findIndex(({ id }) => id === widget.id) + step;
  if (position >= 0 && position < widgets.length) return { section_id: widget.section_id, position };
  const beside = sections[at + step];
  return beside && { section_id: beside.id, position: step === 1 ? 0 : beside.widgets.length };
}

export const SIZES = [
  { id: 'small', label: 'A quarter of the width' },
  { id: 'half', label: 'Half the width' },
  { id: 'whole', label: 'The whole width' },
] as const;
export type Size = (typeof SIZES)[number]['id'];

/** Kept beside the first series, whose other fields the API leaves to us. */
export const getWidgetSize = ({ type, dataset }: Pick<Widget, 'type' | 'dataset'>): Size =>
  SIZES.find(({ id }) => id === dataset[0]?.size)?.id ?? usualSize(type);

export const usualSize = (type: Widget['type']): Size => (type === 'number' ? 'small' : 'half');
