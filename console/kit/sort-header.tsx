export interface SortState {
  readonly name: string;
  readonly ascending: boolean;
}

interface SortHeaderProps {
  readonly name: string;
  readonly label: string;
  readonly sort: SortState;
  readonly end?: boolean;
  readonly onSort: (sort: SortState) => void;
}

/** The header of a column that its list can be sorted by; a second press turns the order round. */
export function SortHeader({ name, label, sort, end = false, onSort }: SortHeaderProps) {
  const isSorted = sort.name === name;
  return (
    <th
      scope="col"
      class={end ? 'text-end' : undefined}
      aria-sort={isSorted ? (sort.ascending ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        class="btn btn-link btn-sm p-0 fw-semibold text-reset"
        onClick={() => onSort({ name, ascending: isSorted ? !sort.ascending : true })}
      >
        {label}
        {isSorted && <span aria-hidden="true"> {sort.ascending ? '↑' : '↓'}</span>}
      </button>
    </th>
  );
}

/** As the address bar holds it: the name, with a minus before it for the highest first. */
export const sortText = ({ name, ascending }: SortState): string => (ascending ? name : `-${name}`);
export const parseSort = (text: string): SortState => ({ name: text.replace(/^-/, ''), ascending: !text.startsWith('-') });
