import { Field, TextField } from '../../kit/field.tsx';
import { operatorText } from '../filter.ts';

const OPERATORS = ['eq', 'ne', 'contains', 'one_of', 'not_in'] as const;

/** The fields that `conditionOf` reads. */
export const ConditionFields = ({ stored = {} }: { stored?: Readonly<Record<string, unknown>> | undefined }) => (
  <>
    <TextField label="Metadata key" name="key" value={String(stored.key ?? '')} help="Empty looks at the name of the record." />
    <div class="d-flex gap-2">
      <Field label="Condition">
        {(id) => (
          <select class="form-select" id={id} name="operator" defaultValue={String(stored.operator ?? 'eq')}>
            {OPERATORS.map((operator) => (
              <option value={operator} key={operator}>
                {operatorText(operator)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="flex-grow-1">
        <TextField
          label="Value"
          name="value"
          value={[stored.value ?? ''].flat().join(', ')}
          help="Empty for every record; several with commas."
        />
      </div>
    </div>
  </>
);
