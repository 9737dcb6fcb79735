import type { QueueProgress } from '../../core/annotation/annotation-progress-service.ts';
import type { AnnotationQueue } from '../../core/annotation/annotation-queue.ts';
import type { AnnotationTemplate } from '../../core/ratings/annotation-template.ts';
import type { Agreement } from '../../core/ratings/rater-agreement.ts';
import { get } from '../api/client.ts';
import { numberText } from '../kit/formatting.ts';
import { Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { JuryHealthView } from './jury-health.tsx';
import { listPeople } from './people.tsx';

interface ProgressViewProps {
  readonly project_id: string;
  readonly api: string;
  readonly queue: AnnotationQueue;
  readonly progress: QueueProgress;
}

/** Whose work a queue is, how far they agree, and why records were skipped. */
export function ProgressView({ project_id, api, queue, progress }: ProgressViewProps) {
  const loaded = useLoaded(`${api} people ${queue.num_done}`, (signal) => getDetails(project_id, api, queue, signal));
  return (
    <Show loaded={loaded}>
      {({ names, agreements }) => (
        <>
          <Annotators annotators={progress.annotators} names={names} />
          {queue.judge_disagreement && <JuryHealthView api={api} queue={queue} />}
          <section class="mb-3">
            <h3 class="h6">Agreement</h3>
            <ul class="list-unstyled">
              {agreements.map(({ name, agreement: { krippendorff_alpha, fleiss_kappa, num_shared } }) => (
                <li key={name}>
                  {name}: alpha {numberText(krippendorff_alpha)}, Fleiss’ kappa {numberText(fleiss_kappa)} on{' '}
                  {numberText(num_shared)} records with several answers
                </li>
              ))}
            </ul>
          </section>
          {progress.skip_reasons.length > 0 && (
            <section>
              <h3 class="h6">Why records were skipped</h3>
              <ul class="list-unstyled">
                {progress.skip_reasons.map(({ reason, count }) => (
                  <li key={reason ?? ''}>
                    {reason ?? 'no reason given'} × {numberText(count)}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
    </Show>
  );
}

const Annotators = ({ annotators, names }: { annotators: QueueProgress['annotators']; names: ReadonlyMap<string, string> }) => (
  <Table class="table">
    <thead>
      <tr>
        {['Annotator', 'Reserved', 'Answered', 'Skipped', 'Reviewed', 'Last active'].map((label) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {annotators.map((one) => (
        <tr key={one.annotator_id}>
          <td>{names.get(one.annotator_id) ?? one.annotator_id}</td>
          <td>{numberText(one.num_reserved)}</td>
          <td>{numberText(one.num_answered)}</td>
          <td>{numberText(one.num_skipped)}</td>
          <td>{numberText(one.num_reviewed)}</td>
          <td>
            <Time at={one.last_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

async function getDetails(project_id: string, api: string, { template_ids }: AnnotationQueue, signal: AbortSignal) {
  const [templates, users] = await Promise.all([
    get<AnnotationTemplate[]>(`/projects/${project_id}/annotation_templates`, { signal }),
    listPeople(project_id, signal),
  ]);
  const asked = templates.filter(({ id }) => template_ids.includes(id));
  const agreements = await Promise.all(
    asked.map(async ({ id, name }) => ({
      name,
      agreement: await get<Agreement>(`${api}/annotation_templates/${id}/agreement`, { signal }),
    })),
  );
  return { agreements, names: new Map(users.map(({ user_id, email }) => [user_id, email])) };
}
