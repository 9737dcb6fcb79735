import { useEffect } from 'preact/hooks';
import { numberText } from '../kit/formatting.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { levelWord, type Place } from './level.ts';
import { countRecords, toSearchSelection } from './search.ts';
import type { RecordsView } from './view.ts';

interface StatusLineProps {
  readonly place: Place;
  readonly view: RecordsView;
  readonly arrived: number;
  /** How often records were deleted here. */
  readonly deletions: number;
}

/** How many records there are, counted once the rows are on the screen, and how many of them came since. */
export function StatusLine({ place, view, arrived, deletions }: StatusLineProps) {
  const key = `count ${JSON.stringify([place, toSearchSelection(place, view)])}`;
  const { value, error, reload } = useLoaded(key, (signal) => countRecords(place, view, signal));
  useEffect(() => {
    if (arrived > 0 || deletions > 0) reload();
  }, [arrived, deletions, reload]);
  const counted = value === undefined ? (error ? 'Not counted' : 'Counting …') : numberText(value);
  return (
    <span role="status">
      {counted}
      {value !== undefined && ` ${levelWord(view.level, value)}`}
      {arrived > 0 && <strong class="ms-2">{numberText(arrived)} new</strong>}
    </span>
  );
}
