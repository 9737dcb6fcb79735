import { describe, expect, it } from 'vitest';
import type { Widget } from '../../core/trends/widget.ts';
import { BLANK_SERIES, toWidget, toWidgetDraft } from './widget-draft.ts';

const WIDGET: Widget = {
  id: 'w',
  section_id: 's',
  name: 'Tokens',
  description: 'of models',
  type: 'bar_chart',
  metric: 'num_total_tokens',
  aggregation: 'Sum',
  dataset: [
    { label: 'input', metric: 'num_input_tokens', note: 'kept', size: 'whole' },
    {
      group_by: 'model',
      record_types: ['llm'],
      filters: [{ type: 'text', column_id: 'name', operator: 'eq', value: 'a', case_sensitive: true }],
    },
  ],
};
const { id: _id, section_id: _section, ...BODY } = WIDGET;

describe('a widget that is edited', () => {
  it('stays as it is when nothing is changed, down to the fields of others', () => {
    expect(toWidget(toWidgetDraft(WIDGET))).toEqual(BODY);
  });

  it('has no dataset when its only series says nothing of its own', () => {
    const plain = toWidgetDraft({ ...WIDGET, dataset: [] });
    expect(plain.series).toEqual([BLANK_SERIES]);
    expect(toWidget(plain).dataset).toEqual([]);
    expect(toWidget({ ...plain, size: 'whole' }).dataset).toEqual([{ size: 'whole' }]);
  });

  it('is as large as its type when that changes, unless a size was chosen', () => {
    expect(toWidget({ ...toWidgetDraft({ ...WIDGET, dataset: [] }), type: 'number', size: 'small' }).dataset).toEqual([]);
    expect(toWidget(toWidgetDraft(undefined))).toMatchObject({ type: 'line_chart', aggregation: 'Average', dataset: [] });
  });
});
