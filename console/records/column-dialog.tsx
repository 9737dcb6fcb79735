import { useState } from 'preact/hooks';
import type { ColumnDescriptor } from '../../core/columns/available-columns.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { useView } from '../kit/location.ts';
import { columnsOfLevel, type Descriptors, defaultColumns, toLabel } from './column.ts';
import type { Level } from './level.ts';
import type { ShownRecord } from './shown-record.ts';
import { columnChanges, type RecordsView } from './view.ts';

interface ColumnDialogProps {
  readonly view: RecordsView;
  readonly descriptors: Descriptors;
  readonly records: readonly ShownRecord[];
  readonly onClose: () => void;
}

type Choice = Pick<ColumnDescriptor, 'id' | 'label' | 'group_label' | 'is_empty'>;

/** Which columns the table has, in which order: those that are chosen first, as they stand. */
export function ColumnDialog({ view, descriptors, records, onClose }: ColumnDialogProps) {
  const [, change] = useView();
  const usual = defaultColumns(view.level, descriptors, records);
  const [chosen, setChosen] = useState<readonly string[]>(view.columns ?? usual);
  const choices = toChoices(view.level, descriptors);
  const labelFor = (id: string): string => choices.find((one) => one.id === id)?.label ?? toLabel(id);
  const save = async (): Promise<void> => {
    const isUsual = JSON.stringify(chosen) === JSON.stringify(usual);
    change(columnChanges(isUsual || chosen.length === 0 ? undefined : chosen));
  };
  return (
    <FormDialog title="Columns" verb="Show" wide onClose={onClose} onSubmit={save}>
      <div class="column-choice">
        <fieldset>
          <legend class="h6">Shown</legend>
          <ol class="list-unstyled mb-2">
            {chosen.map((id, at) => (
              <li class="d-flex align-items-center gap-1" key={id}>
                <span class="me-auto text-truncate">{labelFor(id)}</span>
                <MoveButton
                  label={`Move ${labelFor(id)} up`}
                  sign="↑"
                  disabled={at === 0}
                  onClick={() => setChosen(swapped(chosen, at - 1))}
                />
                <MoveButton label={`Leave ${labelFor(id)} out`} sign="×" onClick={() => setChosen(chosen.toSpliced(at, 1))} />
              </li>
            ))}
          </ol>
          <button type="button" class="btn btn-sm btn-link p-0" onClick={() => setChosen(usual)}>
            Reset columns
          </button>
        </fieldset>
        <div class="column-groups">
          {[...Map.groupBy(choices, ({ group_label }) => group_label)].map(([group, members]) => (
            <fieldset key={group} class="mb-2">
              <legend class="h6">{group}</legend>
              {members.map(({ id, label, is_empty }) => (
                <label class={`form-check ${is_empty ? 'text-body-secondary' : ''}`} key={id}>
                  <input
                    class="form-check-input"
                    type="checkbox"
                    checked={chosen.includes(id)}
                    onChange={(event) =>
                      setChosen(event.currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                    }
                  />
                  {label}
                  {is_empty && ' (empty)'}
                </label>
              ))}
            </fieldset>
          ))}
        </div>
      </div>
    </FormDialog>
  );
}

interface MoveButtonProps {
  readonly label: string;
  readonly sign: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

const MoveButton = ({ label, sign, disabled, onClick }: MoveButtonProps) => (
  <button type="button" class="btn btn-sm btn-link p-0 px-1" aria-label={label} disabled={disabled} onClick={onClick}>
    {sign}
  </button>
);

/** Lists the columns that the API describes, and those of this table alone. */
function toChoices(level: Level, descriptors: Descriptors): readonly Choice[] {
  const counts = level === 'trace' ? ['num_spans', 'ratings'] : level === 'span' ? ['ratings'] : ['num_traces'];
  const own = counts.map((id) => ({ id, label: toLabel(id), group_label: 'General', is_empty: false }));
  const rolledUp = level === 'span' ? [] : (descriptors ?? []).filter(({ scorer_id }) => scorer_id);
  return [...new Set([...columnsOfLevel(descriptors, level), ...rolledUp]), ...own];
}

const swapped = (ids: readonly string[], at: number): string[] => ids.toSpliced(at, 2, ids[at + 1]!, ids[at]!);
