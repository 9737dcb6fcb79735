import { AddToQueue } from '../annotation/add-to-queue.tsx';
import { AddToDataset } from '../datasets/add-to-dataset.tsx';
import { KeepFilling } from '../datasets/rules/keep-filling.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { numberText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { type Level, levelWord, type Place, toRunIds } from './level.ts';
import { deleteRecords, toConditions } from './search.ts';
import { isSelective, type RecordsView } from './view.ts';

interface SelectionBarProps {
  readonly place: Place;
  readonly view: RecordsView;
  readonly selected: ReadonlySet<string>;
  readonly onClear: () => void;
  readonly onDeleted: () => void;
}

const BELOW: Readonly<Record<Level, string>> = {
  trace: 'Their spans and scores are deleted with them.',
  span: 'The spans below them and their scores are deleted with them.',
  session: 'Their traces, spans and scores are deleted with them.',
};

/** Actions on the selected records; while none is selected, a hint at the keys, and actions on all that filters let through. */
export function SelectionBar({ place, view, selected, onClear, onDeleted }: SelectionBarProps) {
  const count = selected.size;
  if (count === 0)
    return (
      <>
        <KeysHint level={place.level} />
        {isSelective(view) && <MatchingActions place={place} view={view} />}
      </>
    );
  const queue = { project_id: place.project_id, run_id: place.run_id };
  const what = `${numberText(count)} ${levelWord(place.level, count)}`;
  return (
    <span class="d-flex gap-2 align-items-center">
      {what} selected
      {place.level === 'trace' && count === 2 && <CompareLink project_id={place.project_id} selected={selected} />}
      {place.level !== 'session' && (
        <>
          <AddToDataset project_id={place.project_id} records={{ ids: [...selected] }} />
          <AddToQueue {...queue} chosen={{ record_ids: [...selected] }} label="Add to queue" />
        </>
      )}
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

function CompareLink({ project_id, selected }: { project_id: string; selected: ReadonlySet<string> }) {
  const [base, other] = [...selected];
  return (
    <a
      class="btn btn-sm btn-outline-secondary py-0"
      href={toHref(`/projects/${project_id}/traces/compare?base=${base}&other=${other}`)}
    >
      Compare
    </a>
  );
}

const KeysHint = ({ level }: { level: Level }) => (
  <span class="small text-body-secondary keys">
    <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd> opens, <kbd>Space</kbd> selects
    {level !== 'session' && (
      <>
        , <kbd>o</kbd> opens beside
      </>
    )}
  </span>
);

function MatchingActions({ place, view }: { place: Place; view: RecordsView }) {
  const conditions = toConditions(view);
  const matching = { ...toRunIds(place), record_type: place.level, ...conditions };
  return (
    <span class="d-flex gap-2 align-items-center">
      <AddToDataset project_id={place.project_id} records={{ matching }} label="Add all to dataset" />
      {place.level !== 'session' && (
        <AddToQueue
          project_id={place.project_id}
          run_id={place.run_id}
          chosen={{ record_type: place.level, ...conditions }}
          label="Add all to queue"
        />
      )}
      {place.level !== 'session' && place.kind === 'log_stream' && (
        <KeepFilling project_id={place.project_id} matching={matching} />
      )}
    </span>
  );
}
