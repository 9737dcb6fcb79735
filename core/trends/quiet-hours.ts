import { z } from 'zod';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
type Weekday = (typeof WEEKDAYS)[number];
const MINUTES_OF_DAY = 1_440;

const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

function isTimeZone(time_zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: time_zone }) !== undefined;
  } catch {
    return false;
  }
}

/** From one time of day to another, on the next day where that is not later, on the days on which they begin. */
export const QuietHours = z.object({
  time_zone: z.string().min(1).max(100).refine(isTimeZone, { message: 'is no time zone' }).describe('As in `Europe/Berlin`.'),
  days: z.array(z.enum(WEEKDAYS)).min(1).max(7).describe('On which they begin.'),
  from: TimeOfDay,
  until: TimeOfDay.describe('The same as `from`: a whole day.'),
});
export type QuietHours = z.output<typeof QuietHours>;

export function isQuiet({ time_zone, days, from, until }: QuietHours, at: Date): boolean {
  const { day, minutes } = toLocal(time_zone, at);
  const [start, end] = [toMinutes(from), toMinutes(until)];
  const length = end > start ? end - start : end - start + MINUTES_OF_DAY;
  const began = (weekday: Weekday, minutesBefore: number): boolean =>
    days.includes(weekday) && minutes + minutesBefore >= start && minutes + minutesBefore < start + length;
  return began(day, 0) || began(dayBefore(day), MINUTES_OF_DAY);
}

/** On the clock of the wall. */
function toLocal(timeZone: string, at: Date): { readonly day: Weekday; readonly minutes: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { day: parts.get('weekday') as Weekday, minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const dayBefore = (day: Weekday): Weekday => WEEKDAYS.at(WEEKDAYS.indexOf(day) - 1)!;
