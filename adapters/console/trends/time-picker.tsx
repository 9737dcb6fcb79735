import { momentText } from '../kit/formatting.ts';
import type { ViewChanges } from '../kit/location.ts';
import { fittingIntervals, INTERVALS, isRolling, queryTime, RANGES, rangeChanges, type TimeView } from './time-range.ts';

interface TimePickerProps {
  readonly time: TimeView;
  readonly isLive: boolean;
  readonly change: (changes: ViewChanges) => void;
}

/** Which time is looked at and how finely, and whether new records come in by themselves. */
export function TimePicker({ time, isLive, change }: TimePickerProps) {
  const usual = queryTime({ ...time, interval: undefined }, new Date()).interval;
  const usualLabel = INTERVALS.find(({ minutes }) => minutes === usual)?.label;
  return (
    <>
      <select
        class="form-select form-select-sm w-auto"
        aria-label="Time"
        value={time.range}
        onChange={({ currentTarget }) => change(rangeChanges(currentTarget.value))}
      >
        {time.from && (
          <option value="custom">
            {momentText(time.from)} to {momentText(time.to)}
          </option>
        )}
        {RANGES.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <select
        class="form-select form-select-sm w-auto"
        aria-label="Interval"
        value={time.interval ?? ''}
        onChange={({ currentTarget }) => change({ interval: currentTarget.value })}
      >
        <option value="">By {usualLabel}</option>
        {fittingIntervals(time).map(({ minutes, label }) => (
          <option key={minutes} value={minutes}>
            {label}
          </option>
        ))}
      </select>
      {isRolling(time) && (
        <label class="form-check form-switch mb-0">
          <input
            class="form-check-input"
            type="checkbox"
            checked={isLive}
            onChange={({ currentTarget }) => change({ live: currentTarget.checked ? undefined : 'off' })}
          />
          Live
        </label>
      )}
    </>
  );
}
