import { Check } from '../kit/check.tsx';
import { BarChoice } from '../kit/choice.tsx';
import { timestampText } from '../kit/formatting.ts';
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
      <BarChoice
        label="Time"
        choices={[
          ...(time.from ? [{ id: 'custom', label: `${timestampText(time.from)} to ${timestampText(time.to)}` }] : []),
          ...RANGES,
        ]}
        value={time.range}
        onChoose={(range) => change(rangeChanges(range))}
      />
      <BarChoice
        label="Interval"
        choices={[
          { id: '', label: `By ${usualLabel}` },
          ...fittingIntervals(time).map(({ minutes, label }) => ({ id: String(minutes), label })),
        ]}
        value={String(time.interval ?? '')}
        onChoose={(interval) => change({ interval })}
      />
      {isRolling(time) && (
        <Check
          isSwitch
          class="mb-0"
          label="Live"
          checked={isLive}
          onCheck={(live) => change({ live: live ? undefined : 'off' })}
        />
      )}
    </>
  );
}
