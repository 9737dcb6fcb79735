import type { ViewChanges } from '../kit/location.ts';

interface RowSearchBarProps {
  readonly columns: readonly string[];
  readonly column: string;
  readonly value: string;
  readonly onChange: (changes: ViewChanges) => void;
}

/** Rows whose cell of one column contains a text. */
export const RowSearchBar = ({ columns, column, value, onChange }: RowSearchBarProps) => (
  <div class="d-flex gap-2 mb-2">
    <select
      class="form-select form-select-sm w-auto"
      aria-label="Column to search in"
      value={column}
      onChange={(event) => onChange({ column: event.currentTarget.value, from: undefined })}
    >
      {columns.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
    <input
      class="form-control form-control-sm w-auto"
      type="search"
      aria-label="Find rows by what the column contains"
      placeholder="Contains"
      value={value}
      onInput={(event) => onChange({ contains: event.currentTarget.value, from: undefined })}
    />
  </div>
);
