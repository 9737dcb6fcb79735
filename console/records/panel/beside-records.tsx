import '../../styles/record-panel.css';
import type { ComponentChildren } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { Waiting } from '../../kit/notices.tsx';
import type { Place } from '../level.ts';
import type { RecordPage } from '../search.ts';
import { resolveOpen } from './open-record.ts';
import { useOpenRecord } from './use-open-record.ts';

/** Fetched when a record is first opened: a list without it is on the screen sooner. */
const RecordPanel = lazy(async () => ({ default: (await import('./record-panel.tsx')).RecordPanel }));

interface BesideRecordsProps {
  readonly place: Place;
  readonly page: RecordPage;
  /** The list. */
  readonly children: ComponentChildren;
}

/** The list, and beside it the record that is open. */
export function BesideRecords({ place, page, children }: BesideRecordsProps) {
  const [open] = useOpenRecord();
  const id = open === undefined || place.level === 'session' ? undefined : resolveOpen(page, open);
  return (
    <div class={id === undefined ? undefined : 'with-panel'}>
      {children}
      {id !== undefined && (
        <Suspense fallback={<Waiting />}>
          <RecordPanel place={place} page={page} id={id} />
        </Suspense>
      )}
    </div>
  );
}
