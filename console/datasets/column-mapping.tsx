import { useState } from 'preact/hooks';
import type { DatasetContent } from '../../core/datasets/content.ts';
import type { Dataset } from '../../core/datasets/dataset.ts';
import { patch, post } from '../api/client.ts';
import { Check } from '../kit/check.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { clipped, valueText } from '../kit/formatting.ts';
import { Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface ColumnMappingDialogProps {
  readonly dataset: Dataset;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

const TARGETS = { input: 'Input', output: 'Ground truth (output)', metadata: 'Metadata' } as const;
type Target = keyof typeof TARGETS;
type Mapping = Readonly<Record<Target, readonly string[]>>;

const ROWS = 3;

/** Makes columns those that the rest of the service knows by name, as a new version; its first rows are shown before. */
export function ColumnMappingDialog({ dataset, onChanged, onClose }: ColumnMappingDialogProps) {
  const names = dataset.column_names ?? [];
  const own = (target: Target): readonly string[] => names.filter((name) => name === target);
  const [mapping, setMapping] = useState<Mapping>({ input: own('input'), output: own('output'), metadata: own('metadata') });
  const toggle = (target: Target, name: string, isOn: boolean): void => {
    const others = (one: Target): readonly string[] => mapping[one].filter((column) => column !== name);
    const without = { input: others('input'), output: others('output'), metadata: others('metadata') };
    setMapping({ ...without, [target]: isOn ? [...without[target], name] : without[target] });
  };
  return (
    <FormDialog
      title="Map columns"
      verb="Save as a new version"
      wide
      onClose={onClose}
      onSubmit={async () => {
        await patch(`/datasets/${dataset.id}`, { column_mapping: mapping });
        onChanged();
      }}
    >
      <p>Prompts and scorers read these columns by their names. Several columns become one, a map of their values.</p>
      <div class="d-flex flex-wrap gap-4">
        {(Object.keys(TARGETS) as Target[]).map((target) => (
          <fieldset key={target} class="mb-3">
            <legend class="form-label fs-6">{TARGETS[target]}</legend>
            {names.map((name) => (
              <Check
                key={name}
                label={name}
                checked={mapping[target].includes(name)}
                onCheck={(isOn) => toggle(target, name, isOn)}
              />
            ))}
          </fieldset>
        ))}
      </div>
      <Preview dataset_id={dataset.id} mapping={mapping} />
    </FormDialog>
  );
}

function Preview({ dataset_id, mapping }: { dataset_id: string; mapping: Mapping }) {
  const loaded = useLoaded(`preview ${dataset_id} ${JSON.stringify(mapping)}`, (signal) =>
    post<DatasetContent>(`/datasets/${dataset_id}/preview`, { column_mapping: mapping }, { query: { limit: ROWS }, signal }),
  );
  return (
    <section aria-label="First rows">
      <h3 class="h6">First rows</h3>
      <Show loaded={loaded}>
        {({ column_names, rows }) => (
          <Table class="table table-sm">
            <TableHeaders of={column_names} />
            <tbody>
              {rows.map(({ row_id, values_dict }) => (
                <tr key={row_id}>
                  {column_names.map((name) => (
                    <td key={name} dir="auto">
                      {clipped(valueText(values_dict[name] ?? ''), 200)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Show>
    </section>
  );
}
