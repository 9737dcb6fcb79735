import { BarChoice } from '../kit/choice.tsx';
import type { ViewChanges } from '../kit/location.ts';
import { ViewSearch } from '../kit/view-search.tsx';

interface RowSearchBarProps {
  readonly columns: readonly string[];
  readonly column: string;
  readonly onChange: (changes: ViewChanges) => void;
}

/** Rows whose cell of one column contains a text. */
export const RowSearchBar = ({ columns, column, onChange }: RowSearchBarProps) => (
  <div class="d-flex gap-2 mb-2">
    <BarChoice
      label="Column to search in"
      choices={columns}
      value={column}
      onChoose={(chosen) => onChange({ column: chosen, from: undefined })}
    />
    <ViewSearch label="Find rows by what the column contains" placeholder="Contains" word="contains" />
  </div>
);
