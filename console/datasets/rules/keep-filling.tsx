import { useState } from 'preact/hooks';
import type { Dataset } from '../../../core/datasets/dataset.ts';
import type { DatasetRule, DatasetRulePreview } from '../../../core/datasets/rules/dataset-rule.ts';
import { post } from '../../api/client.ts';
import { Choice, named } from '../../kit/choice.tsx';
import { TextField } from '../../kit/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { numberText } from '../../kit/formatting.ts';
import { toHref } from '../../kit/location.ts';
import { Show } from '../../kit/notices.tsx';
import { useLoaded } from '../../kit/use-loaded.ts';
import type { MatchingRecords } from '../add-to-dataset.tsx';
import { ColumnChoices, toColumns, useDatasets } from '../record-columns.tsx';

interface KeepFillingProps {
  readonly project_id: string;
  /** The log stream, `record_type` and the filters of the list. */
  readonly matching: MatchingRecords;
}

/** Makes a rule of the filters of a list: what comes to match from now on is added to a dataset. */
export function KeepFilling(props: KeepFillingProps) {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<DatasetRule>();
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary py-0" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Keep adding to dataset
      </button>
      {made && (
        <span role="status" class="small">
          Rule made, under{' '}
          <a class="text-decoration-underline" href={toHref(`/projects/${made.project_id}/log_streams/${made.run_id}/settings`)}>
            settings
          </a>
        </span>
      )}
      {isOpen && <RuleDialog {...props} onClose={() => setOpen(false)} onMade={setMade} />}
    </>
  );
}

interface RuleDialogProps extends KeepFillingProps {
  readonly onClose: () => void;
  readonly onMade: (rule: DatasetRule) => void;
}

function RuleDialog({ project_id, matching, onClose, onMade }: RuleDialogProps) {
  const path = `/projects/${project_id}/dataset-rules`;
  const loaded = useDatasets();
  const make = async (values: FormData): Promise<void> => {
    const [name, dataset_id] = [values.get('name'), values.get('dataset_id')];
    const sample_rate = Number(values.get('percent')) / 100;
    const [max_rows_per_day, batch_minutes] = [Number(values.get('most')), Number(values.get('minutes'))];
    const wanted = { name, dataset_id, sample_rate, max_rows_per_day, batch_minutes, columns: toColumns(values) };
    onMade(await post<DatasetRule>(path, { ...matching, ...wanted }));
  };
  return (
    <FormDialog title="Keep adding what matches" verb="Make rule" onClose={onClose} onSubmit={make}>
      <p>
        Each record that comes to match is added once, also when its score or rating comes later.{' '}
        <Preview path={path} matching={matching} />
      </p>
      <Show loaded={loaded}>
        {(datasets: readonly Dataset[]) => (
          <>
            <TextField label="Name of the rule" name="name" value="What matches" required />
            <Choice label="Dataset" name="dataset_id" required choices={datasets.map(named)} />
            <ColumnChoices />
            <TextField label="Share in percent" name="percent" type="number" step="any" value="100" required />
            <TextField label="Rows a day, at most" name="most" type="number" value="1000" required />
            <TextField
              label="Minutes between versions"
              name="minutes"
              type="number"
              value="5"
              required
              help="All that came meanwhile becomes one version of the dataset."
            />
          </>
        )}
      </Show>
    </FormDialog>
  );
}

function Preview({ path, matching }: { path: string; matching: MatchingRecords }) {
  const loaded = useLoaded(`preview of ${path} ${JSON.stringify(matching)}`, (signal) =>
    post<DatasetRulePreview>(`${path}/preview`, matching, { signal }),
  );
  return (
    <Show loaded={loaded} waiting={<span role="status">Counting …</span>}>
      {({ num_matching, is_more }) => (
        <span role="status">
          Of the last seven days, {is_more && 'more than '}
          {numberText(num_matching)} would match.
        </span>
      )}
    </Show>
  );
}
