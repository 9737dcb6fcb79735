import { useState } from 'preact/hooks';
import type { Widget } from '../../core/trends/widget.ts';
import { patch, post } from '../api/client.ts';
import { Choice } from '../kit/choice.tsx';
import { TypedField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { trendsPath } from './address.ts';
import { SIZES, usualSize } from './arrangement.ts';
import type { Dashboard } from './dashboard.ts';
import { SeriesFields } from './series-fields.tsx';
import {
  AGGREGATIONS,
  BLANK_SERIES,
  type SeriesDraft,
  TYPES,
  toWidget,
  toWidgetDraft,
  type WidgetDraft,
} from './widget-draft.ts';

interface WidgetDialogProps {
  readonly dashboard: Dashboard;
  readonly section_id: string;
  /** The one to be changed; absent for a new one. */
  readonly widget?: Widget;
  readonly onClose: () => void;
}

const METRICS = 'trends-metrics';
const MAX_SERIES = 50;

export function WidgetDialog({ dashboard, section_id, widget, onClose }: WidgetDialogProps) {
  const [draft, setDraft] = useState<WidgetDraft>(() => toWidgetDraft(widget));
  const set = (changes: Partial<WidgetDraft>): void => setDraft({ ...draft, ...changes });
  const setSeries = (at: number, changed: SeriesDraft | undefined): void =>
    set({ series: changed ? draft.series.with(at, changed) : draft.series.toSpliced(at, 1) });
  const save = async (): Promise<void> => {
    const path = `${trendsPath(dashboard.stream)}/widgets`;
    if (widget) await patch(`${path}/${widget.id}`, toWidget(draft));
    else await post(path, { ...toWidget(draft), section_id });
    dashboard.reload();
  };
  return (
    <FormDialog
      title={widget ? `Edit ${widget.name}` : 'Add widget'}
      verb={widget ? 'Save' : 'Add'}
      wide
      onClose={onClose}
      onSubmit={save}
    >
      <WidgetFields draft={draft} set={set} />
      <datalist id={METRICS}>
        {dashboard.metrics.map((metric) => (
          <option key={metric} value={metric} />
        ))}
      </datalist>
      {draft.series.map((series, index) => (
        <SeriesFields
          key={index}
          number={index + 1}
          series={series}
          metrics={METRICS}
          onChange={(changed) => setSeries(index, changed)}
          onRemove={draft.series.length > 1 ? () => setSeries(index, undefined) : undefined}
        />
      ))}
      {draft.series.length < MAX_SERIES && (
        <button
          type="button"
          class="btn btn-sm btn-outline-secondary"
          onClick={() => set({ series: [...draft.series, BLANK_SERIES] })}
        >
          Add series
        </button>
      )}
    </FormDialog>
  );
}

interface WidgetFieldsProps {
  readonly draft: WidgetDraft;
  readonly set: (changes: Partial<WidgetDraft>) => void;
}

const WidgetFields = ({ draft, set }: WidgetFieldsProps) => (
  <div class="fields">
    <TypedField label="Name" required maxLength={100} value={draft.name} onType={(name) => set({ name })} />
    <TypedField
      label="Metric"
      help="A number of the records, the name of a scorer, or a metric that OpenTelemetry sent (gen_ai.…)."
      required
      list={METRICS}
      value={draft.metric}
      onType={(metric) => set({ metric })}
    />
    <Choice
      label="Aggregation"
      value={draft.aggregation}
      choices={AGGREGATIONS}
      onChoose={(aggregation) => set({ aggregation })}
    />
    <Choice
      label="Shown as"
      value={draft.type}
      choices={TYPES}
      onChoose={(type) => set({ type, size: draft.size === usualSize(draft.type) ? usualSize(type) : draft.size })}
    />
    <Choice label="Size" value={draft.size} choices={SIZES} onChoose={(size) => set({ size })} />
    <TypedField label="Description" maxLength={500} value={draft.description} onType={(description) => set({ description })} />
  </div>
);
