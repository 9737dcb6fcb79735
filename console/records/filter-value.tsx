import { Choice } from '../kit/choice.tsx';
import { DURATION_HELP } from '../kit/duration.ts';
import { DurationInput } from '../kit/duration-input.tsx';
import { Field } from '../kit/field.tsx';
import { isDurationFilter, type Typed, type ValueForm } from './filter.ts';

interface FilterValueProps {
  readonly form: ValueForm;
  readonly typed: Typed;
  /** The only values that the column has; null or absent for any. */
  readonly allowed: readonly string[] | null | undefined;
  readonly set: (changes: Partial<Typed>) => void;
}

/** Input for the value of a condition, by the type of the column. */
export function FilterValue({ form, typed, allowed, set }: FilterValueProps) {
  const { value, second, type } = typed;
  const setValue = (event: { readonly currentTarget: { readonly value: string } }): void =>
    set({ value: event.currentTarget.value });
  const help = isDurationFilter(typed) ? DURATION_HELP : undefined;
  if (form === 'two')
    return (
      <div class="d-flex gap-2">
        <Field label="From" help={help}>
          {(id) => <FigureInput id={id} typed={typed} value={value} onInput={setValue} />}
        </Field>
        <Field label="To">
          {(id) => (
            <FigureInput
              id={id}
              typed={typed}
              value={second}
              onInput={({ currentTarget }) => set({ second: currentTarget.value })}
            />
          )}
        </Field>
      </div>
    );
  if (form === 'many')
    return (
      <Field label="Values" help="One per line.">
        {(id) => <textarea class="form-control" id={id} rows={3} required value={value} onInput={setValue} />}
      </Field>
    );
  const choices = form === 'truth' ? ['true', 'false'] : allowed && typed.operator !== 'contains' ? allowed : undefined;
  if (choices)
    return (
      <Choice
        label="Value"
        required
        choices={form === 'truth' ? choices : ['', ...choices]}
        value={value}
        onChoose={(chosen) => set({ value: chosen })}
      />
    );
  return (
    <Field label="Value" help={help}>
      {(id) =>
        type === 'number' ? (
          <FigureInput id={id} typed={typed} value={value} onInput={setValue} />
        ) : (
          <input
            class="form-control"
            id={id}
            type={form === 'moment' ? 'datetime-local' : 'text'}
            required
            value={value}
            onInput={setValue}
          />
        )
      }
    </Field>
  );
}

interface FigureInputProps {
  readonly id: string;
  readonly typed: Typed;
  readonly value: string;
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

const FigureInput = ({ typed, ...control }: FigureInputProps) =>
  isDurationFilter(typed) ? (
    <DurationInput {...control} />
  ) : (
    <input class="form-control" type="number" step="any" required {...control} />
  );
