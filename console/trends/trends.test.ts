import { describe, expect, it } from 'vitest';
import type { Widget } from '../../core/trends/widget.ts';
import type { SeriesData, WidgetData } from '../../core/trends/widget-query.ts';
import { getWidgetSize, placeBeside } from './arrangement.ts';
import { figureText, seriesName } from './figures.ts';
import { recordsPath } from './records-path.ts';
import { toChart } from './widget-chart.ts';

const STREAM = { project_id: 'p', log_stream_id: 's' };
const TIME = { start_time: '2026-05-01T00:00:00.000Z', end_time: '2026-05-01T01:00:00.000Z' };

const widget = (fields: Partial<Widget> = {}): Widget => ({
  id: 'w',
  name: 'Widget',
  type: 'line_chart',
  metric: 'records',
  aggregation: 'Count',
  description: '',
  dataset: [],
  section_id: 'one',
  ...fields,
});
const series = (fields: Partial<SeriesData> = {}): SeriesData => ({
  index: 0,
  label: 'Widget',
  metric: 'records',
  aggregation: 'Count',
  group: null,
  value: 3,
  count: 3,
  is_exact: true,
  points: [{ ...TIME, value: 3, count: 3 }],
  ...fields,
});
const data = (...all: SeriesData[]): WidgetData => ({
  widget_id: 'w',
  name: 'Widget',
  type: 'bar_chart',
  ...TIME,
  series: all,
  groups_left_out: 0,
  problems: [],
});
const shown = (path: string) => {
  const params = new URLSearchParams(path.split('?')[1]);
  const filters: { column_id: string; value: unknown }[] = JSON.parse(params.get('filters')!);
  return { level: params.get('level'), filters: filters.slice(2).map(({ column_id, value }) => [column_id, value]) };
};

describe('figures of widgets', () => {
  it('are written in the unit that the metric has', () => {
    expect(figureText('duration_ns', 'P95')(1.5e9)).toBe('1.5 s');
    expect(figureText('metrics/cost', 'Sum')(0.5)).toBe('$0.50');
    expect(figureText('duration_ns', 'Count')(12)).toBe('12');
    expect(figureText('good', 'PercentageTrue')(87.5)).toBe('87.5 %');
    expect(figureText('good', 'PercentageTrue')(null)).toBe('–');
  });

  it('are called by group, by label where there are several, and marked where they are not exact', () => {
    const [llm, none] = [series({ group: 'llm' }), series({ group: null })];
    expect([llm, none].map((one) => seriesName(data(llm, none), one))).toEqual(['llm', 'none']);
    const beside = series({ index: 1, label: 'other', is_exact: false });
    expect([llm, beside].map((one) => seriesName(data(llm, beside), one))).toEqual(['Widget · llm', '≈ other']);
  });

  it('stand on each other only where they add up', () => {
    expect(toChart(data(series(), series({ index: 1, aggregation: 'Sum' }))).isStacked).toBe(true);
    expect(toChart(data(series(), series({ index: 1, aggregation: 'P95' }))).isStacked).toBe(false);
    expect(toChart(data(series())).x).toEqual([Date.parse(TIME.start_time) / 1000]);
  });
});

describe('the way from a figure to its records', () => {
  it('leads to the traces of the time', () => {
    const path = recordsPath(STREAM, widget(), TIME);
    expect(path).toMatch(/^\/projects\/p\/log_streams\/s\?filters=/);
    expect(JSON.parse(new URLSearchParams(path.split('?')[1]).get('filters')!)).toEqual([
      { type: 'date', column_id: 'created_at', operator: 'gte', value: TIME.start_time },
      { type: 'date', column_id: 'created_at', operator: 'lt', value: TIME.end_time },
    ]);
  });

  it('leads to failed ones, and to calls of models, where those were counted', () => {
    expect(shown(recordsPath(STREAM, widget({ metric: 'errors' }), TIME)).filters).toEqual([['status_code', 400]]);
    expect(shown(recordsPath(STREAM, widget({ metric: 'cost' }), TIME))).toEqual({ level: 'span', filters: [['type', ['llm']]] });
  });

  it('keeps the filters and the group of a series', () => {
    const filter = { type: 'text', column_id: 'name', operator: 'eq', value: 'a', case_sensitive: true } as const;
    const grouped = widget({ dataset: [{ group_by: 'model', record_types: ['llm'], filters: [filter] }] });
    const path = recordsPath(STREAM, grouped, { ...TIME, series: { index: 0, group: 'gpt' } });
    expect(shown(path)).toEqual({
      level: 'span',
      filters: [
        ['type', ['llm']],
        ['name', 'a'],
        ['model', 'gpt'],
      ],
    });
    const byType = widget({ dataset: [{ group_by: 'type' }] });
    expect(shown(recordsPath(STREAM, byType, { ...TIME, series: { index: 0, group: 'tool' } })).filters).toEqual([
      ['type', ['tool']],
    ]);
    const byStatus = widget({ dataset: [{ group_by: 'status_code' }] });
    expect(shown(recordsPath(STREAM, byStatus, { ...TIME, series: { index: 0, group: '500' } })).filters).toEqual([
      ['status_code', 500],
    ]);
  });
});

describe('the way from a figure to its records, for filters of other clients', () => {
  const treeFor = (filters: unknown, more: object = {}) => {
    const given = widget({ dataset: [{ filters, ...more } as never] });
    const path = recordsPath(STREAM, given, { ...TIME, series: { index: 0, group: null } });
    const tree = new URLSearchParams(path.split('?')[1]).get('tree');
    return tree === null ? null : JSON.parse(tree);
  };
  const text = (column_id: string, operator: string, value: unknown) => ({
    filter: { type: 'text', column_id, operator, value, case_sensitive: true },
  });

  it.each([
    [
      'of metric settings',
      { name: 'metadata', key: 'lang', operator: 'eq', value: 'en' },
      text('user_metadata/lang', 'one_of', ['en']),
    ],
    ['without a name', { value: 'step' }, text('name', 'one_of', ['step'])],
    ['of several names', { name: 'node_name', operator: 'ne', value: ['a', 'b'] }, { not: text('name', 'one_of', ['a', 'b']) }],
    ['of rows', { column_name: 'lang', value: 'en' }, text('dataset_metadata/lang', 'contains', 'en')],
    ['of lists', { name: 'model', value: 'big' }, text('model', 'eq', 'big')],
    ['of a column without a type', { column_id: 'model', operator: 'one_of', value: ['a'] }, text('model', 'one_of', ['a'])],
    [
      'of a number',
      { name: 'status_code', value: 500 },
      { filter: { type: 'number', column_id: 'status_code', operator: 'eq', value: 500 } },
    ],
  ])('keeps the form %s', (_what, filter, tree) => {
    expect(treeFor([filter])).toEqual(tree);
    expect(treeFor(filter)).toEqual(tree);
    expect(treeFor({ or: [filter, { not: filter }] })).toEqual({ or: [tree, { not: tree }] });
  });

  it('joins several, beside plain ones, and leaves out what no client can mean', () => {
    const plain = { type: 'text', column_id: 'name', operator: 'eq', value: 'a', case_sensitive: true };
    expect(treeFor([plain])).toBeNull();
    expect(treeFor([plain, { value: 'x' }, { value: 'y' }])).toEqual({
      and: [text('name', 'one_of', ['x']), text('name', 'one_of', ['y'])],
    });
    expect(treeFor([], { filter_tree: { not: { filter: plain } } })).toEqual({ not: { filter: plain } });
    expect(treeFor([{}, 5])).toBeNull();
  });
});

describe('the arrangement of widgets', () => {
  const [a, b, c] = [widget({ id: 'a' }), widget({ id: 'b' }), widget({ id: 'c', section_id: 'two' })];
  const dashboard = {
    ...STREAM,
    sections: [
      { id: 'one', name: 'One', widgets: [a, b] },
      { id: 'two', name: 'Two', widgets: [c] },
    ],
  };

  it('moves on within a section, into the one beside it, and no further', () => {
    expect(placeBeside(dashboard, b, -1)).toEqual({ section_id: 'one', position: 0 });
    expect(placeBeside(dashboard, b, 1)).toEqual({ section_id: 'two', position: 0 });
    expect(placeBeside(dashboard, c, -1)).toEqual({ section_id: 'one', position: 2 });
    expect(placeBeside(dashboard, a, -1)).toBeUndefined();
    expect(placeBeside(dashboard, c, 1)).toBeUndefined();
  });

  it('gives a widget the size that it was given, else one that fits its type', () => {
    expect(getWidgetSize(widget({ type: 'number' }))).toBe('small');
    expect(getWidgetSize(widget({ dataset: [{ size: 'whole' }] }))).toBe('whole');
    expect(getWidgetSize(widget({ dataset: [{ size: 'huge' }] }))).toBe('half');
  });
});
