import { NODE_TYPES } from './words.ts';

interface NodeTypeChoiceProps {
  readonly types: readonly string[];
  readonly onChoose: (types: readonly string[]) => void;
}

/** Which types of records are tried; sessions cannot be copied into a trial. */
export const NodeTypeChoice = ({ types, onChoose }: NodeTypeChoiceProps) => (
  <select
    class="form-select form-select-sm w-auto"
    aria-label="Types of records"
    value={types.join()}
    onChange={(event) => onChoose(event.currentTarget.value.split(','))}
  >
    {[...new Set([types.join(), ...NODE_TYPES.filter((type) => type !== 'session')])].map((one) => (
      <option key={one} value={one} selected={one === types.join()}>
        {one.replaceAll(',', ', ')}
      </option>
    ))}
  </select>
);
