import { useState } from 'preact/hooks';
import type { ColumnDescriptor } from '../../core/columns/available-columns.ts';
import type { RecordFilter } from '../../core/traces/record-query.ts';
import { Check } from '../kit/check.tsx';
import { Choice } from '../kit/choice.tsx';
import { Field } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { getFilterType, OPERATORS, operatorText, type Typed, toFilter, toTypedFilter, valueForm } from './filter.ts';
import { FilterValue } from './filter-value.tsx';

interface FilterDialogProps {
  readonly columns: readonly ColumnDescriptor[];
  /** The one to be changed; absent for a new one. */
  readonly filter: RecordFilter | undefined;
  readonly onPut: (filter: RecordFilter) => void;
  readonly onClose: () => void;
}

/** One condition: a column, what it is compared by, and with what. The columns and what fits them are the API's own. */
export function FilterDialog({ columns, filter, onPut, onClose }: FilterDialogProps) {
  const [typed, setTyped] = useState<Typed>(() =>
    filter ? toTypedFilter(filter) : blankFor(columns.find(({ id }) => id === 'name')),
  );
  const column = columns.find(({ id }) => id === typed.column_id);
  const set = (changes: Partial<Typed>): void => setTyped({ ...typed, ...changes });
  const isText = typed.type === 'text' || typed.type === 'collection';
  return (
    <FormDialog
      title={filter ? 'Edit filter' : 'Add filter'}
      verb={filter ? 'Apply' : 'Add'}
      onClose={onClose}
      onSubmit={async () => onPut(toFilter(typed))}
    >
      <Field label="Column">
        {(id) => (
          <select
            class="form-select"
            id={id}
            value={typed.column_id}
            onChange={(event) => setTyped(blankFor(columns.find((one) => one.id === event.currentTarget.value)))}
          >
            {[...Map.groupBy(columns, ({ group_label }) => group_label)].map(([group, members]) => (
              <optgroup label={group} key={group}>
                {members.map((one) => (
                  <option value={one.id} key={one.id}>
                    {one.label}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <Choice
        label="Condition"
        choices={OPERATORS[typed.type].map((id) => ({ id, label: operatorText(id) }))}
        value={typed.operator}
        onChoose={(operator) => set({ operator })}
      />
      <FilterValue form={valueForm(typed.type, typed.operator)} typed={typed} allowed={column?.allowed_values} set={set} />
      {isText && (
        <Check label="Case sensitive" checked={typed.case_sensitive} onCheck={(case_sensitive) => set({ case_sensitive })} />
      )}
    </FormDialog>
  );
}

function blankFor(column: ColumnDescriptor | undefined): Typed {
  const type = column ? getFilterType(column) : 'text';
  const [operator] = OPERATORS[type];
  return { column_id: column?.id ?? 'name', type, operator: operator!, value: '', second: '', case_sensitive: false };
}
