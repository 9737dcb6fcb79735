import type { Dataset } from '../../core/datasets/dataset.ts';
import { post } from '../api/client.ts';
import { Choice } from '../kit/choice.tsx';
import { type Loaded, useLoaded } from '../kit/use-loaded.ts';

const MOST = 1000;
const INPUTS = [
  { id: 'input', label: 'Input of the record' },
  { id: 'dataset_input', label: 'Input of its dataset row' },
] as const;
const OUTPUTS = [
  { id: 'output', label: 'Output of the record' },
  { id: 'dataset_output', label: 'Output of its dataset row' },
  { id: '', label: 'Nothing, to be written by hand' },
] as const;

/** Datasets that records may be added to, those first that were changed last. */
export const useDatasets = (): Loaded<readonly Dataset[]> =>
  useLoaded('datasets to add to', async (signal) => {
    const wanted = { query: { limit: MOST }, signal };
    const sort = { name: 'updated_at', ascending: false };
    return (await post<{ datasets: readonly Dataset[] }>('/datasets/query', { sort }, wanted)).datasets;
  });

/** Fields of a form: the sources of the columns `input` and `output` of rows. */
export const ColumnChoices = () => (
  <>
    <Choice label="Column input" name="input" choices={INPUTS} value="input" />
    <Choice label="Column output" name="output" choices={OUTPUTS} value="output" help="Ground truth of the row." />
  </>
);

/** The mapping that was chosen, as the API takes it. */
export function toColumns(values: FormData) {
  const output = String(values.get('output'));
  return { input: { field: values.get('input') }, ...(output && { output: { field: output } }) };
}
