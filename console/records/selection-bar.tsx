import { AddToDataset } from '../datasets/add-to-dataset.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { numberText } from '../kit/formatting.ts';
import { type Level, levelWord, type Place } from './level.ts';
import { deleteRecords } from './search.ts';

interface SelectionBarProps {
  readonly place: Place;
  readonly selected: ReadonlySet<string>;
  readonly onClear: () => void;
  readonly onDeleted: () => void;
}

const BELOW: Readonly<Record<Level, string>> = {
  trace: 'Their spans and scores are deleted with them.',
  span: 'The spans below them and their scores are deleted with them.',
  session: 'Their traces, spans and scores are deleted with them.',
};

/** Actions on the selected records; a hint at the keys while none is selected. */
export function SelectionBar({ place, selected, onClear, onDeleted }: SelectionBarProps) {
  const count = selected.size;
  if (count === 0)
    return (
      <span class="small text-body-secondary keys">
        <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd> opens, <kbd>Space</kbd> selects
        {place.level !== 'session' && (
          <>
            , <kbd>o</kbd> opens beside
          </>
        )}
      </span>
    );
  const what = `${numberText(count)} ${levelWord(place.level, count)}`;
  return (
    <span class="d-flex gap-2 align-items-center">
      {what} selected
      {place.level !== 'session' && <AddToDataset project_id={place.project_id} ids={[...selected]} />}
      <ConfirmButton
        label={`Delete ${what}`}
        question={`This cannot be undone. ${BELOW[place.level]}`}
        onConfirm={async () => {
          await deleteRecords(place, [...selected]);
          onDeleted();
        }}
      />
      <button type="button" class="btn btn-sm btn-link p-0" onClick={onClear}>
        Clear selection
      </button>
    </span>
  );
}
