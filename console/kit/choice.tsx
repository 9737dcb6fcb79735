import { Field } from './field.tsx';

/** An option: a word that stands for itself, or an id with its label. */
export type ChoiceOption<T extends string = string> = T | { readonly id: T; readonly label: string };

interface SelectProps<T extends string> {
  readonly choices: readonly ChoiceOption<T>[];
  /** The chosen one; without `onChoose` only what is chosen at first. */
  readonly value?: T | undefined;
  readonly onChoose?: ((value: T) => void) | undefined;
  readonly name?: string;
  readonly required?: boolean;
}

interface ChoiceProps<T extends string> extends SelectProps<T> {
  readonly label: string;
  readonly help?: string | undefined;
  readonly small?: boolean;
}

/** One of a few, with its label above: in a form by its `name`, elsewhere by `onChoose`. */
export const Choice = <T extends string>({ label, help, small = false, ...control }: ChoiceProps<T>) => (
  <Field label={label} help={help}>
    {(id) => <Select id={id} class={small ? 'form-select form-select-sm' : 'form-select'} {...control} />}
  </Field>
);

/** One of a few in a bar of tools, where the choices say enough; the label is for those who do not see them. */
export const BarChoice = <T extends string>({ label, ...control }: SelectProps<T> & { readonly label: string }) => (
  <Select aria-label={label} class="form-select form-select-sm w-auto bar-choice" {...control} />
);

interface Look {
  readonly id?: string;
  readonly class: string;
  readonly 'aria-label'?: string;
}

/** Select element. The chosen value is marked at the options too: a `value` alone is lost where they arrive after it. */
function Select<T extends string>({ choices, value, onChoose, ...look }: SelectProps<T> & Look) {
  const options = choices.map((one) => (typeof one === 'string' ? { id: one, label: one } : one));
  const control = onChoose && {
    value,
    onChange: ({ currentTarget }: { currentTarget: HTMLSelectElement }) => {
      const chosen = options.find(({ id }) => id === currentTarget.value);
      if (chosen) onChoose(chosen.id);
    },
  };
  return (
    <select {...look} {...control}>
      {options.map(({ id, label }) => (
        <option key={id} value={id} selected={id === value}>
          {label}
        </option>
      ))}
    </select>
  );
}

export const named = ({ id, name }: { readonly id: string; readonly name: string }): ChoiceOption => ({ id, label: name });

/** Choices that stand in a table of words. */
export const worded = <T extends string>(words: Readonly<Record<T, string>>): ChoiceOption<T>[] =>
  (Object.keys(words) as T[]).map((id) => ({ id, label: words[id] }));
