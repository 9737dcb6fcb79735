import { Choice } from '../kit/choice.tsx';
import { Field } from '../kit/field.tsx';
import type { Typed, ValueForm } from './filter.ts';

interface FilterValueProps {
  readonly form: ValueForm;
  readonly typed: Typed;
  /** The only values that the column has; null or absent for any. */
  readonly allowed: readonly string[] | null | undefined;
  readonly set: (changes: Partial<Typed>) => void;
}

/** What a column is compared with, typed in as it fits. */
export function FilterValue({ form, typed, allowed, set }: FilterValueProps) {
  const { value, second, type } = typed;
  const setValue = (event: { readonly currentTarget: { readonly value: string } }): void =>
    set({ value: event.currentTarget.value });
  if (form === 'two')
    return (
      <div class="d-flex gap-2">
        <Field label="From">{(id) => <NumberInput id={id} value={value} onInput={setValue} />}</Field>
        <Field label="To">
          {(id) => <NumberInput id={id} value={second} onInput={(event) => set({ second: event.currentTarget.value })} />}
        </Field>
      </div>
    );
  if (form === 'many')
    return (
      <Field label="Values" help="One a line.">
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
    <Field label="Value" {...(isDuration(typed) ? { help: 'In nanoseconds: 1 s is 1000000000.' } : {})}>
      {(id) =>
        type === 'number' ? (
          <NumberInput id={id} value={value} onInput={setValue} />
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

const isDuration = ({ column_id }: Typed): boolean => column_id.endsWith('_ns');

interface NumberInputProps {
  readonly id: string;
  readonly value: string;
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

const NumberInput = ({ id, value, onInput }: NumberInputProps) => (
  <input class="form-control" id={id} type="number" step="any" required value={value} onInput={onInput} />
);
