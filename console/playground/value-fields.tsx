import { useRef } from 'preact/hooks';
import { post } from '../api/client.ts';
import { Field } from '../kit/field.tsx';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface ValueFieldsProps {
  readonly texts: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

/** A field for each variable of the variants; one that stands for a map takes JSON. */
export function ValueFields({ texts, values, onChange }: ValueFieldsProps) {
  const templates = texts.filter((text) => text !== '');
  const known = useRef<Readonly<Record<string, unknown>>>({});
  const { value, error } = useLoaded(`variables ${JSON.stringify(templates)}`, (signal) =>
    post<Readonly<Record<string, unknown>>>('/input_stub', { templates }, { signal }),
  );
  // Those of before stay until it is known which variables the changed texts have.
  if (value) known.current = value;
  const samples = value ?? known.current;
  return (
    <div class="playground-values">
      <Failure error={error} />
      {Object.entries(samples).map(([name, sample]) => (
        <Field key={name} label={name}>
          {(id) => (
            <textarea
              class="form-control"
              id={id}
              rows={2}
              dir="auto"
              placeholder={typeof sample === 'string' ? undefined : JSON.stringify(sample)}
              value={values[name] ?? ''}
              onInput={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
            />
          )}
        </Field>
      ))}
    </div>
  );
}
