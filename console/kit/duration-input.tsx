import { useState } from 'preact/hooks';
import { DURATION_UNIT, hasUnit } from './duration.ts';

interface DurationInputProps {
  readonly id: string;
  readonly name?: string;
  /** Value of the field; without `onInput` its initial one. */
  readonly value: string;
  readonly onInput?: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

/** A field for a duration that has to be there; the unit of a plain number stands beside it until another one is typed. */
export function DurationInput({ id, name, value, onInput }: DurationInputProps) {
  const [kept, setKept] = useState(value);
  const typed = onInput ? value : kept;
  return (
    <div class="input-group">
      <input
        class="form-control"
        id={id}
        name={name}
        required
        autocomplete="off"
        value={typed}
        onInput={(event) => {
          setKept(event.currentTarget.value);
          onInput?.(event);
        }}
      />
      {!hasUnit(typed) && <span class="input-group-text">{DURATION_UNIT}</span>}
    </div>
  );
}
