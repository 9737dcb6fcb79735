import type { SuspensionView } from '../../core/scorers/scoring/suspension.ts';
import { get, post } from '../api/client.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { scorerPath } from './scorer-calls.ts';

interface SuspensionList {
  readonly suspensions: readonly SuspensionView[];
}

/** Why a version of a scorer is switched off, and since when. */
export const SuspensionNote = ({ suspension: { message, suspended_at } }: { suspension: SuspensionView }) => (
  <>
    <strong>Suspended</strong> <Time at={suspended_at} />: {message}
  </>
);

interface ResumeProps {
  readonly scorer_id: string;
  readonly version_id: string;
  readonly onResumed: () => void;
}

/** Switches the version on again, wherever the reader sees it switched off. */
export function ResumeButton({ scorer_id, version_id, onResumed }: ResumeProps) {
  const resume = useAction(async () => {
    await post(`${scorerPath(scorer_id)}/resume`, { scorer_version_id: version_id });
    onResumed();
  });
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-primary" disabled={resume.busy} onClick={() => resume.run()}>
        Resume
      </button>
      <Failure error={resume.error} />
    </>
  );
}

/** Where versions of the scorer are switched off; nothing where none is. */
export function Suspensions({ scorer_id }: { scorer_id: string }) {
  const loaded = useLoaded(`suspensions of scorer ${scorer_id}`, (signal) =>
    get<SuspensionList>(`${scorerPath(scorer_id)}/suspensions`, { signal }),
  );
  return (
    <Show loaded={loaded}>
      {({ suspensions }) =>
        suspensions.length > 0 && (
          <section class="alert alert-warning" aria-label="Suspended">
            {[...Map.groupBy(suspensions, ({ scorer_version_id }) => scorer_version_id)].map(([version_id, ofVersion]) => (
              <div key={version_id} class="mb-2">
                <ul class="list-unstyled mb-1">
                  {ofVersion.map((suspension) => (
                    <li key={suspension.project_id}>
                      <SuspensionNote suspension={suspension} />
                    </li>
                  ))}
                </ul>
                <ResumeButton scorer_id={scorer_id} version_id={version_id} onResumed={loaded.reload} />
              </div>
            ))}
          </section>
        )
      }
    </Show>
  );
}
