import { useState } from 'preact/hooks';
import type { Dataset } from '../../core/datasets/dataset.ts';
import type { RenderedTemplate } from '../../core/prompts/render-service.ts';
import { post } from '../api/client.ts';
import { Choice, named } from '../kit/choice.tsx';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

const ROWS = 5;
const NONE = { id: '', label: 'No dataset' };

/** Preview of the first variant with the first rows of a dataset; nothing is run. */
export function RenderedRows({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="mt-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Preview with rows of a dataset</summary>
      {isOpen && <Preview text={text} />}
    </details>
  );
}

function Preview({ text }: { text: string }) {
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
          {dataset_id !== '' && text !== '' && <Rows dataset_id={dataset_id} text={text} />}
        </>
      )}
    </Show>
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
