import { BarChoice } from '../kit/choice.tsx';
import { NODE_TYPES } from './words.ts';

interface NodeTypeChoiceProps {
  readonly types: readonly string[];
  readonly onChoose: (types: readonly string[]) => void;
}

/** Which types of records are tried; sessions cannot be copied into a trial. */
export const NodeTypeChoice = ({ types, onChoose }: NodeTypeChoiceProps) => (
  <BarChoice
    label="Types of records"
    choices={[...new Set([types.join(), ...NODE_TYPES.filter((type) => type !== 'session')])].map((id) => ({
      id,
      label: id.replaceAll(',', ', '),
    }))}
    value={types.join()}
    onChoose={(chosen) => onChoose(chosen.split(','))}
  />
);
