import { COUNTED } from '../record-index/record-metrics.ts';
import { SPAN_TYPES } from '../traces/catalogue/span-types.ts';
import type { StoredDashboard, StoredWidget } from './dashboard.ts';
import type { WidgetBody } from './widget.ts';

/** The section that scorers' widgets are put into. */
const SCORES = { id: 'scores', name: 'Scores' };

type Draft = Pick<WidgetBody, 'name' | 'metric' | 'aggregation'> & Partial<WidgetBody>;
const drawn = (draft: Draft, newId: () => string): StoredWidget => ({
  id: newId(),
  type: 'line_chart',
  description: '',
  dataset: [],
  ...draft,
});
const by = (label: string, aggregation: WidgetBody['aggregation']) => ({ label, aggregation });
const of = (label: string, metric: string) => ({ label, metric });

const SECTIONS: readonly { readonly id: string; readonly name: string; readonly widgets: readonly Draft[] }[] = [
  {
    id: 'traffic',
    name: 'Traffic and errors',
    widgets: [
      { name: 'Traces', metric: COUNTED.records, aggregation: 'Count', type: 'bar_chart' },
      { name: 'Total traces', metric: COUNTED.records, aggregation: 'Count', type: 'number' },
      { name: 'Failed traces', metric: COUNTED.errors, aggregation: 'Sum', type: 'bar_chart' },
      { name: 'Error rate', metric: COUNTED.errors, aggregation: 'PercentageTrue' },
    ],
  },
  {
    id: 'latency',
    name: 'Latency',
    widgets: [
      {
        name: 'Trace latency',
        metric: 'duration_ns',
        aggregation: 'P50',
        dataset: [by('median', 'P50'), by('95 %', 'P95'), by('99 %', 'P99')],
      },
      {
        name: 'Latency by span type',
        metric: 'duration_ns',
        aggregation: 'P95',
        type: 'table',
        description: 'p95',
        dataset: [{ group_by: 'type', record_types: [...SPAN_TYPES] }],
      },
    ],
  },
  {
    id: 'tokens',
    name: 'Tokens and cost',
    widgets: [
      {
        name: 'Tokens',
        metric: 'num_total_tokens',
        aggregation: 'Sum',
        type: 'bar_chart',
        dataset: [of('input', 'num_input_tokens'), of('output', 'num_output_tokens')],
      },
      { name: 'Cost', metric: 'cost', aggregation: 'Sum', type: 'bar_chart' },
      { name: 'Total cost', metric: 'cost', aggregation: 'Sum', type: 'number' },
      {
        name: 'Cost by model',
        metric: 'cost',
        aggregation: 'Sum',
        type: 'table',
        dataset: [{ group_by: 'model', record_types: ['llm'] }],
      },
    ],
  },
];

/** Initial dashboard of a log stream. */
export const firstDashboard = (newId: () => string): StoredDashboard => ({
  sections: [
    ...SECTIONS.map(({ id, name, widgets }) => ({ id, name, widgets: widgets.map((draft) => drawn(draft, newId)) })),
    { ...SCORES, widgets: [] },
  ],
  known_metrics: [],
});

/** A scorer of the log stream, as far as its widget goes. */
export interface ScorerOutline {
  readonly name: string;
  readonly output_type: string | null;
}

/** Whether a scorer is enabled that never had a widget here. */
export const lacksScorers = (dashboard: StoredDashboard, scorers: readonly Pick<ScorerOutline, 'name'>[]): boolean =>
  scorers.some(({ name }) => !dashboard.known_metrics.includes(name));

/** With a widget for every enabled scorer that never had one here, in the section of scores. */
export function withScorers(dashboard: StoredDashboard, scorers: readonly ScorerOutline[], newId: () => string): StoredDashboard {
  const fresh = scorers.filter(({ name }) => !dashboard.known_metrics.includes(name));
  if (fresh.length === 0) return dashboard;
  const widgets = fresh.map((entry) => drawn(toDraft(entry), newId));
  const isThere = dashboard.sections.some(({ id }) => id === SCORES.id);
  const sections = isThere ? dashboard.sections : [...dashboard.sections, { ...SCORES, widgets: [] }];
  return {
    sections: sections.map((section) =>
      section.id === SCORES.id ? { ...section, widgets: [...section.widgets, ...widgets] } : section,
    ),
    known_metrics: [...dashboard.known_metrics, ...fresh.map(({ name }) => name)],
  };
}

function toDraft({ name, output_type }: ScorerOutline): Draft {
  const isBoolean = output_type === 'boolean';
  return { name: [...name].slice(0, 100).join(''), metric: name, aggregation: isBoolean ? 'PercentageTrue' : 'Average' };
}
