import type { RecordFilter } from '../../../core/traces/record-query.ts';
import { filterText } from './series-notes.tsx';

interface SeriesFiltersProps {
  readonly filters: readonly RecordFilter[];
  readonly onChange: (filters: readonly RecordFilter[]) => void;
}

/** Which records count in a series. */
export const SeriesFilters = ({ filters, onChange }: SeriesFiltersProps) => (
  <div class="d-flex flex-wrap gap-2">
    {filters.map((filter, index) => (
      <span class="badge text-bg-light border" key={index}>
        {filterText(filter)}
        <button
          type="button"
          class="btn-close ms-1"
          aria-label={`Remove filter ${filterText(filter)}`}
          onClick={() => onChange(filters.toSpliced(index, 1))}
        />
      </span>
    ))}
  </div>
);
