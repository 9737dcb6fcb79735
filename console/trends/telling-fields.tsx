import type { Alert } from '../../core/trends/alert.ts';
import { Check } from '../kit/check.tsx';
import { Choice, worded } from '../kit/choice.tsx';
import { Field, TextField } from '../kit/field.tsx';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const SEVERITIES = worded({ info: 'Info', warning: 'Warning', critical: 'Critical' });
const NO_DATA = worded({ alert: 'Alert', ok: 'Count as ok', keep: 'Keep the state' });
const MINUTE_MS = 60_000;

interface TimeInputProps {
  readonly label: string;
  readonly name: string;
  readonly type: 'time' | 'datetime-local';
  readonly value: string;
  readonly help?: string;
}

const TimeInput = ({ label, help, value, ...control }: TimeInputProps) => (
  <Field label={label} help={help}>
    {(id) => <input class="form-control" id={id} defaultValue={value} {...control} />}
  </Field>
);

/** How bad it is, what becomes of missing data, and when nothing is told. */
export function TellingFields({ alert }: { alert: Alert | undefined }) {
  const quiet = alert?.quiet_hours;
  const zone = quiet?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <div class="fields">
        <Choice label="Severity" name="severity" value={alert?.severity ?? 'warning'} choices={SEVERITIES} />
        <Choice label="Without data" name="no_data" value={alert?.no_data ?? 'alert'} choices={NO_DATA} />
        <Field label="Remind every" help="Minutes, while it fires. Empty: never.">
          {(id) => (
            <input
              class="form-control"
              id={id}
              type="number"
              name="reminder_minutes"
              min={5}
              max={10_080}
              defaultValue={alert?.reminder_minutes ?? ''}
            />
          )}
        </Field>
        <TimeInput label="Mute until" name="muted_until" type="datetime-local" value={toLocalText(alert?.muted_until)} />
      </div>
      <fieldset class="mb-3">
        <legend class="form-label fs-6">Quiet hours</legend>
        <div class="fields">
          <TimeInput label="From" name="quiet_from" type="time" value={quiet?.from ?? ''} />
          <TimeInput label="Until" name="quiet_until" type="time" value={quiet?.until ?? ''} />
          <TextField label="Time zone" name="quiet_zone" value={zone} required />
        </div>
        <div class="d-flex gap-3 flex-wrap">
          {DAYS.map((day) => (
            <Check key={day} name="quiet_day" label={day} value={day} checked={quiet?.days.includes(day) ?? true} />
          ))}
        </div>
        <p class="form-text">Critical alerts are told all the same. Others wait for the end, if they still fire then.</p>
      </fieldset>
    </>
  );
}

/** A time as its field takes it, in the zone of the browser. */
function toLocalText(at: string | null | undefined): string {
  if (!at) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}
