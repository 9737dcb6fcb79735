import { useState } from 'preact/hooks';
import { post } from '../api/client.ts';
import { Choice, worded } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';

const TYPES = worded({ trace: 'Traces', span: 'Spans' });

interface AddRecordsProps {
  readonly api: string;
  readonly onAdded: () => void;
}

/** Lines the newest records of the log stream up behind those of the queue; chosen ones come from their list. */
export function AddRecords({ api, onAdded }: AddRecordsProps) {
  const [isOpen, setOpen] = useState(false);
  const add = async (values: FormData): Promise<void> => {
    await post(`${api}/items`, { record_type: values.get('type'), max_records: Number(values.get('records')) });
    onAdded();
  };
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add records
      </button>
      {isOpen && (
        <FormDialog title="Add records" verb="Add" onClose={() => setOpen(false)} onSubmit={add}>
          <p>The newest ones are added, once each. Filtered or selected ones are added from the list of records.</p>
          <Choice label="Type" name="type" choices={TYPES} />
          <TextField label="Newest records" name="records" type="number" value="100" required />
        </FormDialog>
      )}
    </>
  );
}
