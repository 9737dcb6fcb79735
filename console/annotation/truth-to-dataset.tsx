import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { AnnotationQueue, TruthExported } from '../../core/annotation/annotation-queue.ts';
import type { Dataset } from '../../core/datasets/dataset.ts';
import type { AnnotationTemplate } from '../../core/ratings/annotation-template.ts';
import { get, post } from '../api/client.ts';
import { Choice, named } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { numberText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface TruthToDatasetProps {
  readonly queue: AnnotationQueue;
}

type Added = z.output<typeof TruthExported>;

/** Puts the records that are done into a dataset, with what their annotators agreed on as ground truth. */
export function TruthToDataset({ queue }: TruthToDatasetProps) {
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<Added>();
  return (
    <>
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        disabled={queue.num_done === 0}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Answers to dataset
      </button>
      {added && (
        <span role="status" class="small align-self-center">
          <a class="text-decoration-underline" href={toHref(`/datasets/${added.dataset_id}`)}>
            {numberText(added.rows_added)} rows added
          </a>
          {added.records_without_answer > 0 && `, ${numberText(added.records_without_answer)} records have no answer`}
        </span>
      )}
      {isOpen && <TruthDialog queue={queue} onClose={() => setOpen(false)} onAdded={setAdded} />}
    </>
  );
}

interface TruthDialogProps extends TruthToDatasetProps {
  readonly onClose: () => void;
  readonly onAdded: (added: Added) => void;
}

function TruthDialog({ queue: { id, project_id, template_ids }, onClose, onAdded }: TruthDialogProps) {
  const loaded = useLoaded(`answers of ${id}`, async (signal) => {
    const newest = { sort: { name: 'updated_at', ascending: false } };
    const [templates, { datasets }] = await Promise.all([
      get<AnnotationTemplate[]>(`/projects/${project_id}/annotation_templates`, { signal }),
      post<{ datasets: readonly Dataset[] }>('/datasets/query', newest, { query: { limit: 1000 }, signal }),
    ]);
    return { templates: templates.filter(({ id }) => template_ids.includes(id)), datasets };
  });
  const add = async (values: FormData): Promise<void> => {
    const [dataset_id, template_id, column_name] = ['dataset_id', 'template_id', 'column_name'].map((name) => values.get(name));
    const path = `/projects/${project_id}/annotation_queues/${id}/dataset`;
    onAdded(await post<Added>(path, { dataset_id, template_id, column_name }));
  };
  return (
    <FormDialog title="Answers to dataset" verb="Add" onClose={onClose} onSubmit={add}>
      <Show loaded={loaded}>
        {({ templates, datasets }) => (
          <>
            <Choice label="Dataset" name="dataset_id" required choices={datasets.map(named)} />
            <Choice label="Annotation field" name="template_id" required choices={templates.map(named)} />
            <TextField
              label="Column for the answers"
              name="column_name"
              value="mgt"
              required
              help="The health of scorers reads ground truth from mgt unless another column is chosen."
            />
          </>
        )}
      </Show>
    </FormDialog>
  );
}
