import { useState } from 'preact/hooks';
import type { AnnotationQueue } from '../../core/annotation/annotation-queue.ts';
import { patch, remove } from '../api/client.ts';
import { Choice } from '../kit/choice.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate } from '../kit/location.ts';
import { chosenPeople, PeopleFields } from './people.tsx';
import { ORDER, queueApi, queuesPath } from './queue.ts';

interface QueueActionsProps {
  readonly queue: AnnotationQueue;
  readonly onChanged: () => void;
}

/** Buttons that change and delete a queue, for who may configure it. */
export function QueueActions({ queue, onChanged }: QueueActionsProps) {
  const [changing, setChanging] = useState(false);
  return (
    <div class="d-flex gap-2 ms-auto">
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setChanging(true)}>
        Edit
      </button>
      <ConfirmButton
        label="Delete"
        question={`Delete ${queue.name}? The answers stay with their records.`}
        onConfirm={async () => {
          await remove(queueApi(queue.project_id, queue.id));
          navigate(queuesPath(queue.project_id));
        }}
      />
      {changing && <ChangeQueue queue={queue} onChanged={onChanged} onClose={() => setChanging(false)} />}
    </div>
  );
}

/** How many answers a record needs, and who decides, is fixed once a queue is made. */
function ChangeQueue({ queue, onChanged, onClose }: QueueActionsProps & { readonly onClose: () => void }) {
  const change = async (values: FormData): Promise<void> => {
    const [name, order_by] = [values.get('name'), values.get('order')];
    const reservation_seconds = Number(values.get('seconds'));
    const people = chosenPeople(values);
    await patch(queueApi(queue.project_id, queue.id), { name, order_by, reservation_seconds, ...people });
    onChanged();
  };
  return (
    <FormDialog title="Edit queue" verb="Save" onClose={onClose} onSubmit={change}>
      <TextField label="Name" name="name" value={queue.name} required />
      <Choice label="Order" name="order" choices={ORDER} value={queue.order_by} />
      <TextField
        label="Seconds for a record"
        name="seconds"
        type="number"
        value={String(queue.reservation_seconds)}
        help="Until then nobody else gets it."
        required
      />
      <PeopleFields project_id={queue.project_id} assignee_ids={queue.assignee_ids} reviewer_ids={queue.reviewer_ids} />
    </FormDialog>
  );
}
