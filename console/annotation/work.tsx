import { useState } from 'preact/hooks';
import { post } from '../api/client.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import type { Draft } from './answering.ts';
import type { Task, TaskRecord } from './queue.ts';
import { RecordTask } from './record-task.tsx';

interface WorkProps {
  readonly project_id: string;
  readonly api: string;
  readonly isReview: boolean;
  /** A record was answered, decided or skipped. */
  readonly onEnded: () => void;
}

interface Ended {
  readonly record: TaskRecord;
  readonly draft: Draft;
}

/** One record after the other, with a way back to those that were answered since the page was opened. */
export function Work({ project_id, api, isReview, onEnded }: WorkProps) {
  const [ended, setEnded] = useState<readonly Ended[]>([]);
  const [back, setBack] = useState(0);
  const [turn, setTurn] = useState(0);
  const loaded = useLoaded(`${api} ${isReview} ${turn}`, () => post<Task>(`${api}/${isReview ? 'review' : 'next'}`));
  const earlier = back > 0 ? ended[ended.length - back] : undefined;
  const end = (record: TaskRecord, draft: Draft | undefined): void => {
    const others = ended.filter((one) => one.record.id !== record.id);
    setEnded(draft ? [...others, { record, draft }] : others);
    // Here and not in an effect of the turn, which would undo a key pressed before it runs.
    setBack(0);
    if (!earlier) setTurn((before) => before + 1);
    onEnded();
  };
  return (
    <Show loaded={loaded}>
      {(task) => {
        const record = earlier?.record ?? task.record;
        const onPrevious = back < ended.length ? () => setBack(back + 1) : undefined;
        if (!record)
          return (
            <Empty title={isReview ? 'Nothing to review' : 'Nothing to answer'}>
              <p>Every record is done, or somebody else has it for now.</p>
              {onPrevious && (
                <button type="button" class="btn btn-sm btn-outline-secondary" onClick={onPrevious}>
                  Back to the last record
                </button>
              )}
            </Empty>
          );
        return (
          <RecordTask
            key={record.id}
            {...{ project_id, api, isReview, record }}
            templates={task.templates}
            reserved_until={earlier ? null : task.reserved_until}
            draft={earlier?.draft ?? {}}
            onEnded={(draft) => end(record, draft)}
            onPrevious={onPrevious}
            onForward={earlier && (() => setBack(back - 1))}
          />
        );
      }}
    </Show>
  );
}
