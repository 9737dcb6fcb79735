import { BarChoice } from '../kit/choice.tsx';
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
    <BarChoice
      label="Column to search in"
      choices={columns}
      value={column}
      onChoose={(chosen) => onChange({ column: chosen, from: undefined })}
    />
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
