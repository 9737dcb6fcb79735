import type { z } from 'zod';
import type { UserView } from '../../core/access/users/user.ts';
import type { QueueItemPage } from '../../core/annotation/annotation-progress-service.ts';
import type { AnnotationQueue } from '../../core/annotation/annotation-queue.ts';
import { get, remove } from '../api/client.ts';
import { BarChoice, worded } from '../kit/choice.tsx';
import { toHref, useView } from '../kit/location.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { AddRecords } from './add-records.tsx';
import { listPeople } from './people.tsx';
import { TruthToDataset } from './truth-to-dataset.tsx';

type Items = z.output<typeof QueueItemPage>;
type Item = Items['items'][number];

const LIMIT = 50;
const STATUS_WORDS = { pending: 'To answer', review: 'To review', done: 'Done', skipped: 'Skipped' } as const;
const STATUSES = [{ id: '', label: 'All records' }, ...worded(STATUS_WORDS)];

interface ItemsViewProps {
  readonly api: string;
  readonly queue: AnnotationQueue;
  /** Whether records may be added and handed to others. */
  readonly mayConfigure: boolean;
  readonly onChanged: () => void;
}

/** The records of a queue: how far each is, and who has it or answered it. */
export function ItemsView({ api, queue, mayConfigure, onChanged }: ItemsViewProps) {
  const [view, change] = useView();
  const status = view.get('status') ?? '';
  const query = { limit: LIMIT, starting_token: startIn(view), ...(status && { status }) };
  const changes = JSON.stringify([queue.num_pending, queue.num_in_review, queue.num_done, queue.num_skipped]);
  const loaded = useLoaded(`${api}/items ${JSON.stringify(query)} ${changes}`, async (signal) => {
    const [items, people, me] = await Promise.all([
      get<Items>(`${api}/items`, { query, signal }),
      listPeople(queue.project_id, signal),
      get<UserView>('/current_user', { signal }),
    ]);
    return { items, names: new Map(people.map(({ user_id, email }) => [user_id, email])), me: me.id };
  });
  return (
    <>
      <div class="d-flex flex-wrap gap-2 mb-2">
        <BarChoice
          label="Status"
          choices={STATUSES}
          value={status}
          onChoose={(chosen) => change({ status: chosen === '' ? undefined : chosen, from: undefined })}
        />
        {mayConfigure && <AddRecords api={api} onAdded={onChanged} />}
        <TruthToDataset queue={queue} />
      </div>
      <Show loaded={loaded}>
        {({ items, names, me }) => (
          <>
            <Table class="table table-rows">
              <TableHeaders of={['Record', 'Status', 'Annotators']} actions />
              <tbody>
                {items.items.map((item) => (
                  <ItemRow
                    key={item.record_id}
                    api={api}
                    queue={queue}
                    item={item}
                    names={names}
                    me={me}
                    onReleased={loaded.reload}
                  />
                ))}
              </tbody>
            </Table>
            {items.items.length === 0 && <p class="text-body-secondary">No records.</p>}
            <ViewPager page={items} />
          </>
        )}
      </Show>
    </>
  );
}

interface ItemRowProps {
  readonly api: string;
  readonly queue: AnnotationQueue;
  readonly item: Item;
  readonly names: ReadonlyMap<string, string>;
  readonly me: string;
  readonly onReleased: () => void;
}

function ItemRow({ api, queue, item, names, me, onReleased }: ItemRowProps) {
  const { record_id, name, trace_id, status, assignments } = item;
  const release = useAction(async () => {
    await remove(`${api}/items/${record_id}/reservation`);
    onReleased();
  });
  const isMine = assignments.some((one) => one.annotator_id === me && one.status === 'reserved');
  const span = trace_id === record_id ? '' : `?span=${record_id}`;
  return (
    <tr>
      <td>
        {trace_id === null ? (
          <span class="text-body-secondary">{record_id.slice(0, 8)}, deleted</span>
        ) : (
          <a href={toHref(`/projects/${queue.project_id}/traces/${trace_id}${span}`)}>{name || record_id.slice(0, 8)}</a>
        )}
      </td>
      <td>{STATUS_WORDS[status]}</td>
      <td>
        {assignments.map((one) => (
          <div key={`${one.annotator_id} ${one.role}`}>
            {names.get(one.annotator_id) ?? one.annotator_id}: {assignmentText(one)}
          </div>
        ))}
      </td>
      <td class="text-end">
        {isMine && (
          <button
            type="button"
            class="btn btn-sm btn-outline-secondary"
            disabled={release.busy}
            onClick={() => void release.run()}
          >
            Release
          </button>
        )}
        <Failure error={release.error} />
      </td>
    </tr>
  );
}

function assignmentText({ role, status, skip_reason }: Item['assignments'][number]): string {
  if (status === 'skipped') return skip_reason === null ? 'skipped' : `skipped, ${skip_reason}`;
  if (status === 'answered') return role === 'reviewer' ? 'reviewed' : 'answered';
  return role === 'reviewer' ? 'has it to review' : 'has it';
}
