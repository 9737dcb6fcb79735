import { useView } from '../kit/location.ts';
import type { RecordPage } from './search.ts';
import { FIRST_PAGE } from './view.ts';

/** Turns pages by the records at their edges: what comes in meanwhile moves nothing, and a late page is found as fast as the first. */
export function PageTurns({ page: { records, hasBefore, hasNext } }: { page: RecordPage }) {
  const [view, change] = useView();
  const isFirst = !view.has('after') && !view.has('before');
  if (isFirst && !hasNext) return null;
  const [first, last] = [records.at(0)?.id, records.at(-1)?.id];
  return (
    <nav aria-label="Pages" class="btn-group btn-group-sm ms-auto">
      <TurnButton label="First" isPossible={!isFirst} turn={() => change(FIRST_PAGE)} />
      <TurnButton
        label="Before"
        isPossible={hasBefore && first !== undefined}
        turn={() => change({ ...FIRST_PAGE, before: first })}
      />
      <TurnButton label="Next" isPossible={hasNext && last !== undefined} turn={() => change({ ...FIRST_PAGE, after: last })} />
    </nav>
  );
}

interface TurnButtonProps {
  readonly label: string;
  readonly isPossible: boolean;
  readonly turn: () => void;
}

const TurnButton = ({ label, isPossible, turn }: TurnButtonProps) => (
  <button type="button" class="btn btn-outline-secondary" disabled={!isPossible} onClick={turn}>
    {label}
  </button>
);
