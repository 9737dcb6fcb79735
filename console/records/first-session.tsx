import { toHref, useView } from '../kit/location.ts';
import { Empty } from '../kit/notices.tsx';
import { type Place, toListPath } from './level.ts';
import { implicitChanges } from './view.ts';

/** Instructions for a log stream without sessions: how traces become the turns of one. */
export function FirstSession({ place }: { place: Place }) {
  const [, change] = useView();
  return (
    <Empty title="No sessions yet">
      <p>
        A session is a conversation: its turns are the traces that are logged with the same <code>session_id</code> or{' '}
        <code>session_external_id</code>, or by OpenTelemetry with the same attribute <code>session.id</code>.
      </p>
      <div class="d-flex flex-wrap gap-2">
        <button type="button" class="btn btn-sm btn-outline-secondary" onClick={() => change(implicitChanges(true))}>
          Show single traces
        </button>
        <a class="btn btn-sm btn-outline-secondary" href={toHref(toListPath(place))}>
          Traces
        </a>
      </div>
    </Empty>
  );
}
