import { useState } from 'preact/hooks';
import { Field } from '../kit/field.tsx';
import { isEssential, type SettingsField } from './settings-schema.ts';
import { getFormName, isSet, toFieldName, toFieldText } from './settings-values.ts';

type Known = Readonly<Record<string, unknown>>;

interface SettingsInputsProps {
  readonly fields: readonly SettingsField[];
  /** Current settings, without secrets. */
  readonly known: Known;
}

/** A form for the settings of a provider: what matters first, the rest behind a fold. */
export function SettingsInputs({ fields, known }: SettingsInputsProps) {
  const others = fields.filter((field) => !isEssential(field));
  return (
    <>
      {fields.filter(isEssential).map((field) => (
        <Input key={toFieldName(field)} field={field} known={known} />
      ))}
      {others.length > 0 && (
        <details class="mb-3">
          <summary class="mb-2">More settings</summary>
          {others.map((field) => (
            <Input key={toFieldName(field)} field={field} known={known} />
          ))}
        </details>
      )}
    </>
  );
}

function Input({ field, known }: { field: SettingsField; known: Known }) {
  if (field.kind === 'flag') return <Flag field={field} checked={isSet(field, known)} />;
  if (field.kind === 'forms') return <Forms field={field} known={known} />;
  if (field.kind === 'group')
    return (
      <fieldset class="mb-3 ps-3 border-start">
        <legend class="fs-6">{field.path.at(-1)}</legend>
        {field.help && <p class="form-text mt-0">{field.help}</p>}
        {field.fields.map((one) => (
          <Input key={toFieldName(one)} field={{ ...one, required: one.required && field.required }} known={known} />
        ))}
      </fieldset>
    );
  return (
    <Field label={toLabel(field)} {...getHelp(field)}>
      {(id) => <Control id={id} field={field} text={toFieldText(field, known)} />}
    </Field>
  );
}

function Control({ id, field, text }: { id: string; field: SettingsField; text: string }) {
  const control = { id, name: toFieldName(field), required: field.required };
  if (field.kind === 'choice')
    return (
      <select class="form-select" {...control}>
        {!field.required && text === '' && <option value="" />}
        {field.options.map((option) => (
          <option key={option} selected={option === text}>
            {option}
          </option>
        ))}
      </select>
    );
  if (field.kind === 'lines') return <textarea class="form-control" rows={3} {...control} defaultValue={text} />;
  if (field.kind === 'json') return <textarea class="form-control font-monospace" rows={3} {...control} defaultValue={text} />;
  if (field.kind === 'secret') return <input class="form-control" type="password" autocomplete="off" {...control} />;
  const type = field.kind === 'number' ? 'number' : field.kind === 'url' ? 'url' : 'text';
  return <input class="form-control" type={type} {...control} defaultValue={text} />;
}

const Flag = ({ field, checked }: { field: SettingsField; checked: boolean }) => (
  <div class="form-check mb-3">
    <input class="form-check-input" type="checkbox" id={toFieldName(field)} name={toFieldName(field)} defaultChecked={checked} />
    <label class="form-check-label" for={toFieldName(field)}>
      {toLabel(field)}
    </label>
    {field.help && <div class="form-text mt-0">{field.help}</div>}
  </div>
);

/** A setting of several forms: one is chosen and filled in. */
function Forms({ field, known }: { field: SettingsField & { kind: 'forms' }; known: Known }) {
  const [chosen, setChosen] = useState(0);
  return (
    <fieldset class="mb-3 ps-3 border-start">
      <legend class="fs-6">{toLabel(field)}</legend>
      {field.help && <p class="form-text mt-0">{field.help}</p>}
      <Field label="Form">
        {(id) => (
          <select
            class="form-select"
            id={id}
            name={getFormName(field)}
            value={chosen}
            onChange={({ currentTarget }) => setChosen(currentTarget.selectedIndex)}
          >
            {field.forms.map((form, index) => (
              <option key={formText(form)} value={index}>
                {formText(form)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {field.forms[chosen]?.map((one) => (
        <Input key={toFieldName(one)} field={one} known={known} />
      ))}
    </fieldset>
  );
}

const formText = (form: readonly SettingsField[]): string => form.map(({ path }) => path.at(-1)).join(', ');
const toLabel = ({ path, kind }: SettingsField): string => `${path.at(-1)}${kind === 'json' ? ' (JSON)' : ''}`;
const getHelp = ({ help, kind }: SettingsField): { help?: string } => {
  const text = [help, kind === 'lines' && 'One per line.'].filter((part) => part).join(' ');
  return text ? { help: text } : {};
};
