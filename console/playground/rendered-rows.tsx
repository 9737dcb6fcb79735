import { useState } from 'preact/hooks';
import type { Dataset } from '../../core/datasets/dataset.ts';
import type { RenderedTemplate } from '../../core/prompts/render-service.ts';
import { post } from '../api/client.ts';
import { Choice, named } from '../kit/choice.tsx';
import { Failure, Show } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { startExperiment } from './start-experiment.ts';
import type { Variant } from './variant.ts';

const ROWS = 5;
const NONE = { id: '', label: 'No dataset' };

interface RenderedRowsProps {
  readonly project_id: string;
  readonly variant: Variant;
  /** The version of a prompt that the variant is, as long as nothing of it was changed. */
  readonly version_id: string | undefined;
}

/** Preview of the first variant with the first rows of a dataset, and the run over all of them as an experiment. */
export function RenderedRows(props: RenderedRowsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="mt-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Preview and run over a dataset</summary>
      {isOpen && <Preview {...props} />}
    </details>
  );
}

function Preview({ project_id, variant, version_id }: RenderedRowsProps) {
  const { text } = variant;
  const [dataset_id, setDataset] = useState('');
  const datasets = useLoaded('datasets to preview with', async (signal) => {
    const byName = { sort: { name: 'name', ascending: true } };
    return (await post<{ datasets: readonly Dataset[] }>('/datasets/query', byName, { query: { limit: 1000 }, signal })).datasets;
  });
  return (
    <Show loaded={datasets}>
      {(found) => (
        <>
          <Choice label="Dataset" choices={[NONE, ...found.map(named)]} value={dataset_id} onChoose={setDataset} />
          {dataset_id !== '' && text !== '' && (
            <>
              <RunButton onRun={() => startExperiment({ project_id, dataset_id, variant, version_id })} />
              <Rows dataset_id={dataset_id} text={text} />
            </>
          )}
        </>
      )}
    </Show>
  );
}

function RunButton({ onRun }: { onRun: () => Promise<void> }) {
  const { run, busy, error } = useAction(onRun);
  return (
    <>
      <button type="button" class="btn btn-sm btn-primary mb-2" disabled={busy} onClick={() => void run()}>
        Run Variant 1 over all rows
      </button>
      <Failure error={error} />
    </>
  );
}

function Rows({ dataset_id, text }: { dataset_id: string; text: string }) {
  const body = { template: text, data: { dataset_id } };
  const loaded = useLoaded(`rendered ${JSON.stringify(body)}`, (signal) =>
    post<{ rendered_templates: readonly RenderedTemplate[] }>('/render_template', body, { query: { limit: ROWS }, signal }),
  );
  return (
    <Show loaded={loaded}>
      {({ rendered_templates }) => (
        <ol>
          {rendered_templates.map(({ result, warning }, at) => (
            <li key={at}>
              <pre class="playground-output mb-1" dir="auto">
                {result}
              </pre>
              {warning && <p class="small">{warning}</p>}
            </li>
          ))}
        </ol>
      )}
    </Show>
  );
}
