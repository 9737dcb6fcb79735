import { useState } from 'preact/hooks';
import type { Alert } from '../../core/trends/alert.ts';
import type { Widget } from '../../core/trends/widget.ts';
import { Check } from '../kit/check.tsx';
import { Choice, worded } from '../kit/choice.tsx';
import { DurationInput } from '../kit/duration-input.tsx';
import { Field, TextField } from '../kit/field.tsx';
import { seriesChoices, thresholdText, unitHelp, watchedFigure } from './alerts.ts';
import { ChannelInputs } from './channel-inputs.tsx';
import type { Channels } from './channels.ts';
import { type Figure, isDurationFigure } from './figures.ts';
import { TellingFields } from './telling-fields.tsx';

interface CountProps {
  readonly label: string;
  readonly name: string;
  readonly value: number | null;
  readonly required?: boolean;
  readonly help?: string;
}

const Count = ({ label, value, help, ...control }: CountProps) => (
  <Field label={label} help={help}>
    {(id) => <input class="form-control" id={id} type="number" min={1} max={60} defaultValue={value ?? ''} {...control} />}
  </Field>
);

interface ThresholdProps {
  readonly id: string;
  readonly figure: Figure | undefined;
  readonly threshold: number | undefined;
}

function ThresholdInput({ id, figure, threshold }: ThresholdProps) {
  const control = { id, name: 'threshold' };
  const value = threshold === undefined ? '' : thresholdText(threshold, figure);
  if (figure && isDurationFigure(figure)) return <DurationInput {...control} value={value} />;
  return <input class="form-control" {...control} type="number" step="any" required defaultValue={value} />;
}

const INTERVALS = ['minute', 'hour', 'day'] as const;
/** Of drift, which is read from hours. */
const LONG_INTERVALS = ['hour', 'day'] as const;
const WATCHES = worded({ value: 'its value', drift: 'its drift from the days before' });
const DRIFT_HELP =
  'Population stability index: from 0.1 on moderate, from 0.25 on significant. 0 where chance would bring as much.';
const OPERATORS = ['above', 'below'] as const;

interface AlertFieldsProps {
  readonly widget: Widget | undefined;
  readonly alert: Alert | undefined;
  readonly channels: Channels;
}

/** Fields of an alert: its series, condition and recipients. */
export function AlertFields({ widget, alert, channels }: AlertFieldsProps) {
  const [series, setSeries] = useState(String(alert?.series_index ?? 0));
  const [watches, setWatches] = useState<string>(alert?.watches ?? 'value');
  const isDrift = watches === 'drift';
  const figure = isDrift ? undefined : watchedFigure(widget, Number(series));
  const choices = seriesChoices(widget);
  return (
    <>
      <TextField label="Name" name="name" value={alert?.name ?? widget?.name ?? ''} required />
      {choices.length > 1 ? (
        <Choice label="Series" name="series_index" value={series} choices={choices} onChoose={setSeries} />
      ) : (
        <input type="hidden" name="series_index" value={series} />
      )}
      <Choice label="Watches" name="watches" value={watches} choices={WATCHES} onChoose={setWatches} />
      <div class="fields">
        <Choice label="Trigger when value is" name="operator" value={alert?.operator ?? 'above'} choices={OPERATORS} />
        <Field label="Threshold" help={isDrift ? DRIFT_HELP : unitHelp(figure)}>
          {(id) => <ThresholdInput id={id} figure={figure} threshold={alert?.threshold} />}
        </Field>
        <Choice
          label="Evaluation window"
          name="interval"
          value={alert?.interval ?? 'hour'}
          choices={isDrift ? LONG_INTERVALS : INTERVALS}
        />
        {isDrift && <Count label="Reference (days)" name="reference_days" value={alert?.reference_days ?? 7} required />}
        <Count label="Consecutive periods" name="for_buckets" value={alert?.for_buckets ?? 1} required />
        <Count
          label="Alert on no data after"
          name="no_data_buckets"
          value={alert?.no_data_buckets ?? null}
          help="Periods without a value. Empty: never."
        />
      </div>
      <TellingFields alert={alert} />
      <ChannelInputs channels={channels} known={alert} none="Routes of the project" />
      <Check isSwitch name="is_enabled" label="Enabled" checked={alert?.is_enabled ?? true} />
    </>
  );
}
