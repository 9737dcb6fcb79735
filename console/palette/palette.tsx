import '../styles/palette.css';
import { useEffect, useId, useState } from 'preact/hooks';
import { Dialog } from '../kit/dialog.tsx';
import { navigate, useHashPath } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { find } from './found.ts';
import { type Destination, listMatches, listViews, parsePlace } from './place.ts';

/** A search for each letter would be one too many. */
const PAUSE_MS = 200;

/** Goes anywhere by the keyboard: a view, a project, a record by its id, or traces that say what is typed. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [path] = useHashPath();
  const place = parsePlace(path);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const wanted = useSettled(text);
  const loaded = useLoaded(`palette ${path} ${wanted}`, (signal) => find(wanted, place, signal));
  const views = listMatches(listViews(place), text);
  const shown = [...views.slice(0, text === '' ? 40 : 8), ...(loaded.value ?? [])];
  const chosen = Math.min(at, shown.length - 1);
  const go = (destination: Destination | undefined): void => {
    if (!destination) return;
    onClose();
    navigate(destination.path);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') go(shown[chosen]);
    else if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, shown.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        class="form-control"
        type="search"
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={shown.length > 0 ? `${list}-${chosen}` : undefined}
        autocomplete="off"
        placeholder="View, project, record ID, or text in traces"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <Failure error={loaded.error} />
      <Options id={list} destinations={shown} chosen={chosen} onGo={go} />
      <p class="form-text mb-0" role="status">
        {loaded.loading || wanted !== text ? 'Searching …' : shown.length === 0 ? 'Nothing matches.' : `${shown.length} matches`}
      </p>
    </Dialog>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly destinations: readonly Destination[];
  readonly chosen: number;
  readonly onGo: (destination: Destination) => void;
}

const Options = ({ id, destinations, chosen, onGo }: OptionsProps) => (
  <div class="palette-options" id={id} role="listbox" aria-label="Matches">
    {destinations.map((destination, at) => (
      <div
        key={`${at} ${destination.path}`}
        id={`${id}-${at}`}
        class={`palette-option ${at === chosen ? 'active' : ''}`}
        role="option"
        tabIndex={-1}
        aria-selected={at === chosen}
        ref={(element) => {
          if (at === chosen) element?.scrollIntoView({ block: 'nearest' });
        }}
        onClick={() => onGo(destination)}
        onKeyDown={(event) => event.key === 'Enter' && onGo(destination)}
      >
        <span class="text-truncate" dir="auto">
          {destination.label}
        </span>
        <span class="palette-group">{destination.group}</span>
      </div>
    ))}
  </div>
);

/** A value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
