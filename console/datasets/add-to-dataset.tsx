import { useState } from 'preact/hooks';
import type { Dataset } from '../../core/datasets/dataset.ts';
import { patch, post } from '../api/client.ts';
import { Choice, named } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { numberText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { ColumnChoices, toColumns, useDatasets } from './record-columns.tsx';

/** The dataset that was added to last in this browser. */
const LAST = 'touchstone.dataset';
interface AddToDatasetProps {
  readonly project_id: string;
  /** The records: those of these ids, or all of a log stream that pass filters. */
  readonly records: { readonly ids: readonly string[] } | { readonly matching: MatchingRecords };
  readonly label?: string;
}

/** As the API takes it: the log stream, `record_type` and the filters. */
export type MatchingRecords = Readonly<Record<string, unknown>>;

/** Makes rows of records in a dataset, each with where it came from; afterwards the way there. */
export function AddToDataset(props: AddToDatasetProps) {
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<Dataset>();
  const isDone = 'ids' in props.records;
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary py-0" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {props.label ?? 'Add to dataset'}
      </button>
      {added && (
        <span role="status" class="small">
          {isDone ? 'Added to' : 'Being added to'}{' '}
          <a class="text-decoration-underline" href={toHref(`/datasets/${added.id}`)}>
            {added.name}
          </a>
        </span>
      )}
      {isOpen && <AddDialog {...props} onClose={() => setOpen(false)} onAdded={setAdded} />}
    </>
  );
}

interface AddDialogProps extends AddToDatasetProps {
  readonly onClose: () => void;
  readonly onAdded: (dataset: Dataset) => void;
}

function AddDialog({ project_id, records, onClose, onAdded }: AddDialogProps) {
  const loaded = useDatasets();
  const datasets = loaded.value ?? [];
  const add = async (values: FormData): Promise<void> => {
    const dataset = datasets.find(({ id }) => id === values.get('dataset_id'));
    if (!dataset) throw new Error('Choose a dataset.');
    const { id } = dataset;
    const columns = toColumns(values);
    if ('ids' in records) {
      const from = { project_id, ids: records.ids, columns };
      const copy = { edit_type: 'copy_record_data', ...from, prepend: false, link_to_record: true };
      await patch(`/datasets/${id}/content`, { edits: [copy] });
    } else {
      const max_records = Number(values.get('most'));
      await post(`/datasets/${id}/records`, { project_id, ...records.matching, columns, max_records });
    }
    localStorage.setItem(LAST, id);
    onAdded(dataset);
  };
  const title = 'ids' in records ? `Add ${numberText(records.ids.length)} to a dataset` : 'Add all that match to a dataset';
  const last = datasets.find(({ id }) => id === localStorage.getItem(LAST)) ?? datasets[0];
  return (
    <FormDialog title={title} verb="Add" onClose={onClose} onSubmit={add}>
      <Show loaded={loaded}>
        {() =>
          last ? (
            <>
              <Choice label="Dataset" name="dataset_id" required choices={datasets.map(named)} value={last.id} />
              <ColumnChoices />
              {'matching' in records && (
                <TextField
                  label="Newest records"
                  name="most"
                  type="number"
                  value="1000"
                  required
                  help="Those that were added to the dataset this way before are left out."
                />
              )}
            </>
          ) : (
            <p>
              There is no dataset yet. <a href={toHref('/datasets')}>Make one</a> first.
            </p>
          )
        }
      </Show>
    </FormDialog>
  );
}
