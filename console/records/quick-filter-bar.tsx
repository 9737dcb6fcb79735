import type { RecordFilter } from '../../core/traces/record-query.ts';
import { BarChoice } from '../kit/choice.tsx';
import { useView } from '../kit/location.ts';
import type { Descriptors } from './column.ts';
import { asksForImplicit } from './implicit-sessions.ts';
import {
  BOOKMARKED,
  COMMENTS,
  DURATION,
  DURATIONS,
  durationIn,
  isOn,
  STATUS,
  TIME,
  TIMES,
  TURN_COUNTS,
  TURNS,
  turnsIn,
  withBookmarked,
  withComments,
  withDuration,
  withErrors,
  withTime,
  withTurns,
} from './quick-filters.ts';
import { filterChanges, implicitChanges, type RecordsView } from './view.ts';

interface QuickFilterBarProps {
  readonly view: RecordsView;
  readonly descriptors: Descriptors;
}

const ANY_DURATION = { id: '', label: 'Any duration' };
const ANY_TURNS = { id: '', label: 'Any number of turns' };

/** The filters of every day, by one press or choice each. What is on can be read, and taken away, beside them. */
export function QuickFilterBar({ view, descriptors }: QuickFilterBarProps) {
  const [, change] = useView();
  const { filters, showsImplicit } = view;
  const set = (changed: readonly RecordFilter[]): void => change(filterChanges(changed));
  const has = (id: string): boolean => descriptors?.some((one) => one.id === id && one.filterable) ?? false;
  const hasComments = descriptors?.some((one) => one.id === COMMENTS && !one.is_empty) ?? false;
  const isCommented = isOn(filters, COMMENTS);
  const isBookmarked = isOn(filters, BOOKMARKED);
  const isErrors = isOn(filters, STATUS);
  const seconds = durationIn(filters);
  const turns = turnsIn(filters);
  const bounds = DURATIONS.map((one) => ({ id: String(one), label: `≥ ${one} s` }));
  return (
    <>
      <BarChoice
        label="Time range"
        choices={isOn(filters, TIME) ? [{ id: 'chosen', label: 'Time: see filters' }, ...TIMES] : TIMES}
        value={isOn(filters, TIME) ? 'chosen' : ''}
        onChoose={(id) => id !== 'chosen' && set(withTime(filters, id, new Date()))}
      />
      {has(STATUS) && (
        <button
          type="button"
          class={`btn btn-sm btn-outline-secondary ${isErrors ? 'active' : ''}`}
          aria-pressed={isErrors}
          onClick={() => set(withErrors(filters, !isErrors))}
        >
          Errors
        </button>
      )}
      <button
        type="button"
        class={`btn btn-sm btn-outline-secondary ${isBookmarked ? 'active' : ''}`}
        aria-pressed={isBookmarked}
        onClick={() => set(withBookmarked(filters, !isBookmarked))}
      >
        Bookmarked
      </button>
      {(hasComments || isCommented) && (
        <button
          type="button"
          class={`btn btn-sm btn-outline-secondary ${isCommented ? 'active' : ''}`}
          aria-pressed={isCommented}
          onClick={() => set(withComments(filters, !isCommented))}
        >
          Commented
        </button>
      )}
      {has(DURATION) && (
        <BarChoice
          label="Duration at least"
          choices={[ANY_DURATION, ...bounds]}
          value={seconds === undefined ? '' : String(seconds)}
          onChoose={(id) => set(withDuration(filters, id === '' ? undefined : Number(id)))}
        />
      )}
      {has(TURNS) && (
        <BarChoice
          label="Turns at least"
          choices={[ANY_TURNS, ...TURN_COUNTS.map((one) => ({ id: String(one), label: `≥ ${one} turns` }))]}
          value={turns === undefined ? '' : String(turns)}
          onChoose={(id) => set(withTurns(filters, id === '' ? undefined : Number(id)))}
        />
      )}
      {view.level === 'session' && !asksForImplicit(view) && (
        <button
          type="button"
          class={`btn btn-sm btn-outline-secondary ${showsImplicit ? 'active' : ''}`}
          aria-pressed={showsImplicit}
          title="Lists traces that were logged without a session, too"
          onClick={() => change(implicitChanges(!showsImplicit))}
        >
          Single traces
        </button>
      )}
    </>
  );
}
