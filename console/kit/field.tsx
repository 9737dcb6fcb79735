import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly help?: string | undefined;
  /** Gets the id that ties the control to its label. */
  readonly children: (id: string) => ComponentChildren;
}

export function Field({ label, help, children }: FieldProps) {
  const id = useId();
  return (
    <div class="mb-3">
      <label class="form-label" for={id}>
        {label}
      </label>
      {children(id)}
      {help && <div class="form-text">{help}</div>}
    </div>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly type?: 'text' | 'password' | 'email' | 'number' | 'url' | 'date';
  /** Of a number; `any` for one with decimals. */
  readonly step?: string;
  readonly required?: boolean;
  readonly help?: string;
  readonly autocomplete?: string;
}

/** The value is what the field begins with: what was typed stays when the form is drawn again. */
export const TextField = ({ label, help, value, ...control }: TextFieldProps) => (
  <Field label={label} help={help}>
    {(id) => <input class="form-control" id={id} {...control} defaultValue={value ?? ''} />}
  </Field>
);

interface TypedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly help?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** The id of a list of suggestions. */
  readonly list?: string;
}

/** A text whose every letter is known while it is typed. */
export const TypedField = ({ label, help, onType, ...control }: TypedFieldProps) => (
  <Field label={label} help={help}>
    {(id) => <input class="form-control" id={id} {...control} onInput={({ currentTarget }) => onType(currentTarget.value)} />}
  </Field>
);
