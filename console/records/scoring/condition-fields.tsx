import { Choice } from '../../kit/choice.tsx';
import { TextField } from '../../kit/field.tsx';
import { operatorText } from '../filter.ts';

const OPERATORS = ['eq', 'ne', 'contains', 'one_of', 'not_in'] as const;

/** The fields that `toCondition` reads. */
export const ConditionFields = ({ stored = {} }: { stored?: Readonly<Record<string, unknown>> | undefined }) => (
  <>
    <TextField label="Metadata key" name="key" value={String(stored.key ?? '')} help="Empty looks at the name of the record." />
    <div class="d-flex gap-2">
      <Choice
        label="Condition"
        name="operator"
        choices={OPERATORS.map((id) => ({ id, label: operatorText(id) }))}
        value={OPERATORS.find((one) => one === stored.operator)}
      />
      <div class="flex-grow-1">
        <TextField
          label="Value"
          name="value"
          value={[stored.value ?? ''].flat().join(', ')}
          help="Empty: all records. Separate several by commas."
        />
      </div>
    </div>
  </>
);
