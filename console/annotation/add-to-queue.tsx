import { useState } from 'preact/hooks';
import type { AnnotationQueue } from '../../core/annotation/annotation-queue.ts';
import { get, post } from '../api/client.ts';
import { Choice, named } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { toHref } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { queuesPath } from './queue.ts';

interface AddToQueueProps {
  readonly project_id: string;
  /** The log stream or experiment that the records are of: a queue has records of one. */
  readonly run_id: string;
  /** Which records: `record_ids`, or `filters` that they pass, with `record_type`. */
  readonly chosen: Readonly<Record<string, unknown>>;
  readonly label: string;
}

/** Lines records up in an annotation queue of their log stream. */
export function AddToQueue(props: AddToQueueProps) {
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<AnnotationQueue>();
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary py-0" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {props.label}
      </button>
      {added && (
        <span role="status" class="small">
          Added to{' '}
          <a class="text-decoration-underline" href={toHref(`${queuesPath(props.project_id)}/${added.id}?part=records`)}>
            {added.name}
          </a>
        </span>
      )}
      {isOpen && <AddDialog {...props} onClose={() => setOpen(false)} onAdded={setAdded} />}
    </>
  );
}

interface AddDialogProps extends AddToQueueProps {
  readonly onClose: () => void;
  readonly onAdded: (queue: AnnotationQueue) => void;
}

function AddDialog({ project_id, run_id, chosen, onClose, onAdded }: AddDialogProps) {
  const path = `/projects/${project_id}/annotation_queues`;
  const loaded = useLoaded(`${path} of ${run_id}`, async (signal) => {
    const queues = await get<AnnotationQueue[]>(path, { signal });
    return queues.filter((queue) => queue.run_id === run_id);
  });
  const isMatch = !('record_ids' in chosen);
  const add = async (values: FormData): Promise<void> => {
    const queue_id = values.get('queue_id');
    if (!queue_id) throw new Error('Choose a queue.');
    const most = isMatch ? { max_records: Number(values.get('most')) } : {};
    onAdded(await post<AnnotationQueue>(`${path}/${String(queue_id)}/items`, { ...chosen, ...most }));
  };
  return (
    <FormDialog title="Add to annotation queue" verb="Add" onClose={onClose} onSubmit={add}>
      <Show loaded={loaded}>
        {(queues) =>
          queues.length === 0 ? (
            <p>
              No queue holds records from here. <a href={toHref(queuesPath(project_id))}>Make one</a> first.
            </p>
          ) : (
            <>
              <Choice label="Queue" name="queue_id" required choices={queues.map(named)} />
              {isMatch && <TextField label="Newest records" name="most" type="number" value="1000" required />}
            </>
          )
        }
      </Show>
    </FormDialog>
  );
}
