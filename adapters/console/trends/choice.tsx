import { Field } from '../kit/field.tsx';

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly { readonly id: T; readonly label: string }[];
  readonly onChoose: (value: T) => void;
}

/** One of a few. */
export const Choice = <T extends string>({ label, value, choices, onChoose }: ChoiceProps<T>) => (
  <Field label={label}>
    {(id) => (
      <select
        id={id}
        class="form-select"
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = choices.find((one) => one.id === currentTarget.value);
          if (chosen) onChoose(chosen.id);
        }}
      >
        {choices.map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);
