import { useState } from 'preact/hooks';
import type { FilterTree, RecordFilter } from '../../core/traces/record-query.ts';
import { clipped } from '../kit/formatting.ts';
import { useView } from '../kit/location.ts';
import { filterText as treeText } from '../trends/typed-filter.ts';
import { columnsOfLevel, type Descriptors, toLabel } from './column.ts';
import { filterText } from './filter.ts';
import { FilterDialog } from './filter-dialog.tsx';
import type { Level } from './level.ts';
import { filterChanges, TREE_REMOVED } from './view.ts';

interface FilterBarProps {
  readonly filters: readonly RecordFilter[];
  readonly tree: FilterTree | undefined;
  readonly descriptors: Descriptors;
  readonly level: Level;
}

/** The conditions that hold, each to be changed or taken away, and a way to add one. */
export function FilterBar({ filters, tree, descriptors, level }: FilterBarProps) {
  const [, change] = useView();
  /** The place of the filter that is edited; one past the last for a new one. */
  const [editing, setEditing] = useState<number>();
  const columns = columnsOfLevel(descriptors, level).filter(({ filterable, filter_type }) => filterable && filter_type);
  const put = (filter: RecordFilter): void => change(filterChanges(filters.toSpliced(editing ?? filters.length, 1, filter)));
  return (
    <>
      {filters.map((filter, at) => (
        <FilterChip
          key={JSON.stringify(filter)}
          text={filterText(filter, descriptors?.find(({ id }) => id === filter.column_id)?.label ?? toLabel(filter.column_id))}
          canEdit={columns.some(({ id }) => id === filter.column_id)}
          onEdit={() => setEditing(at)}
          onRemove={() => change(filterChanges(filters.toSpliced(at, 1)))}
        />
      ))}
      {tree && <FilterChip text={treeText(tree)} canEdit={false} onEdit={() => {}} onRemove={() => change(TREE_REMOVED)} />}
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        disabled={!descriptors}
        aria-haspopup="dialog"
        onClick={() => setEditing(filters.length)}
      >
        Add filter
      </button>
      {editing !== undefined && (
        <FilterDialog columns={columns} filter={filters[editing]} onClose={() => setEditing(undefined)} onPut={put} />
      )}
    </>
  );
}

interface FilterChipProps {
  readonly text: string;
  readonly canEdit: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

const FilterChip = ({ text, canEdit, onEdit, onRemove }: FilterChipProps) => (
  <span class="btn-group btn-group-sm filter-chip">
    <button
      type="button"
      class="btn btn-outline-secondary"
      title={text}
      disabled={!canEdit}
      aria-haspopup="dialog"
      onClick={onEdit}
    >
      {clipped(text, 60)}
    </button>
    <button type="button" class="btn btn-outline-secondary" aria-label={`Remove filter ${text}`} onClick={onRemove}>
      ×
    </button>
  </span>
);
