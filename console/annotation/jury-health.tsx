import type { AnnotationQueue } from '../../core/annotation/annotation-queue.ts';
import type { JuryHealth } from '../../core/health/jury/jury-health.ts';
import { get, post } from '../api/client.ts';
import { numberText } from '../kit/formatting.ts';
import { navigate } from '../kit/location.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';

/** How well the scorer of a queue, and each juror of it, says what the annotators answered. */
export function JuryHealthView({ api, queue }: { readonly api: string; readonly queue: AnnotationQueue }) {
  const loaded = useLoaded(`${api} health ${queue.num_done}`, (signal) => get<JuryHealth>(`${api}/health`, { signal }));
  const weigh = useAction(async () => {
    await post(`${api}/weighed-version`, {});
    navigate(`/scorers/${queue.judge_disagreement?.scorer_id}/versions`);
  });
  return (
    <section class="mb-3">
      <h3 class="h6">Health of the scorer</h3>
      <Show loaded={loaded}>
        {({ health, jurors, records }) => (
          <>
            <ul class="list-unstyled">
              <li>The scorer: {health ? healthText(health) : `not measured on ${numberText(records)} records`}</li>
              {jurors.map((juror) => (
                <li key={juror.model}>
                  {juror.model}, weight {numberText(juror.weight)}: {healthText(juror.health)}
                </li>
              ))}
            </ul>
            {jurors.length > 0 && (
              <button type="button" class="btn btn-sm btn-outline-secondary" disabled={weigh.busy} onClick={() => weigh.run()}>
                Make a version with weights from this health
              </button>
            )}
            <Failure error={weigh.error} />
          </>
        )}
      </Show>
    </section>
  );
}

const healthText = ({ health_score_type, value, joined_rows }: NonNullable<JuryHealth['health']>): string =>
  value === null ? 'not measured' : `${health_score_type} ${numberText(value)} on ${numberText(joined_rows)} records`;
