import { TextField } from '../kit/field.tsx';
import { navigate } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { makeEmptyDataset } from './import-file.ts';

/** Columns first; rows are typed in the dataset itself. */
export function EmptyDatasetForm() {
  const making = useAction(async (values: FormData) => {
    const columns = String(values.get('columns'))
      .split(',')
      .map((column) => column.trim());
    const { id } = await makeEmptyDataset(
      String(values.get('name')),
      columns.filter((column) => column !== ''),
    );
    navigate(`/datasets/${id}`);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void making.run(new FormData(event.currentTarget));
      }}
    >
      <TextField label="Name" name="name" required />
      <TextField
        label="Columns"
        name="columns"
        value="input, output, metadata"
        required
        help="Separated by commas. The column output holds the ground truth."
      />
      <Failure error={making.error} />
      <button type="submit" class="btn btn-primary" disabled={making.busy}>
        Create
      </button>
    </form>
  );
}
