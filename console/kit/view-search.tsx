import { useView } from './location.ts';

interface ViewSearchProps {
  /** Accessible label of the search field. */
  readonly label: string;
  readonly placeholder?: string;
  /** Query parameter that holds the text. */
  readonly word?: string;
}

/** The small field above a list that keeps what has the typed text in its name, or in another column. */
export function ViewSearch({ label, placeholder = 'Name', word = 'name' }: ViewSearchProps) {
  const [view, change] = useView();
  return (
    <input
      class="form-control form-control-sm w-auto"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={view.get(word) ?? ''}
      onInput={({ currentTarget }) => change({ [word]: currentTarget.value, from: undefined }, 'typing')}
    />
  );
}
