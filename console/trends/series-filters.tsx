import { useState } from 'preact/hooks';
import type { RecordFilter } from '../../core/traces/record-query.ts';
import { BarChoice } from '../kit/choice.tsx';
import { DURATION_UNIT, isDuration } from '../kit/duration.ts';
import { Failure } from '../kit/notices.tsx';
import { CONDITIONS, type Condition, filterText, typedFilter } from './typed-filter.ts';

interface SeriesFiltersProps {
  readonly number: number;
  readonly filters: readonly RecordFilter[];
  readonly onChange: (filters: readonly RecordFilter[]) => void;
}

/** Which records count in a series. */
export function SeriesFilters({ number, filters, onChange }: SeriesFiltersProps) {
  const [typed, setTyped] = useState<{ column: string; operator: Condition; value: string }>(BLANK);
  const [error, setError] = useState<unknown>();
  const add = (): void => {
    try {
      onChange([...filters, typedFilter(typed.column, typed.operator, typed.value)]);
      setTyped(BLANK);
      setError(undefined);
    } catch (refusal) {
      setError(refusal);
    }
  };
  return (
    <fieldset class="d-flex flex-wrap gap-2 align-items-center">
      <legend class="form-label mb-0">Filters</legend>
      {filters.map((filter, index) => (
        <span class="badge text-bg-light border" key={index}>
          {filterText(filter)}
          <button
            type="button"
            class="btn-close ms-1"
            aria-label={`Remove the filter ${filterText(filter)}`}
            onClick={() => onChange(filters.toSpliced(index, 1))}
          />
        </span>
      ))}
      <input
        class="form-control form-control-sm w-auto"
        aria-label={`Column of a new filter of series ${number}`}
        placeholder="column"
        value={typed.column}
        onInput={({ currentTarget }) => setTyped({ ...typed, column: currentTarget.value.trim() })}
      />
      <BarChoice
        label={`Condition of a new filter of series ${number}`}
        choices={CONDITIONS}
        value={typed.operator}
        onChoose={(operator) => setTyped({ ...typed, operator })}
      />
      <input
        class="form-control form-control-sm w-auto"
        aria-label={`Value of a new filter of series ${number}`}
        placeholder={isDuration(typed.column) ? 'seconds, or 200 ms' : 'value'}
        value={typed.value}
        onInput={({ currentTarget }) => setTyped({ ...typed, value: currentTarget.value })}
      />
      {isDuration(typed.column) && <span class="small">{DURATION_UNIT}</span>}
      <button type="button" class="btn btn-sm btn-outline-secondary" disabled={typed.column === ''} onClick={add}>
        Add filter
      </button>
      <Failure error={error} />
    </fieldset>
  );
}

const BLANK = { column: '', operator: 'eq', value: '' } as const;
