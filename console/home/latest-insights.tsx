import type { Insight } from '../../core/insights/insight.ts';
import { get } from '../api/client.ts';
import { toHref } from '../kit/location.ts';
import { Show, Skeleton } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import type { ProjectStream } from './streams.ts';

const SHOWN = 5;

interface LatestInsightsProps {
  readonly project_id: string;
  readonly streams: readonly ProjectStream[];
}

/** Open insights into the log streams, those that were seen last first. */
export function LatestInsights({ project_id, streams }: LatestInsightsProps) {
  const loaded = useLoaded(`home insights ${streams.map(({ id }) => id)}`, async (signal) => {
    const found = streams.map(async (stream) => {
      const path = `/projects/${project_id}/runs/${stream.id}/insights`;
      const { insights } = await get<{ insights: readonly Insight[] }>(path, { query: { status: 'open', limit: SHOWN }, signal });
      return insights.map((insight) => ({ insight, stream }));
    });
    const all = (await Promise.all(found)).flat();
    return all.toSorted((a, b) => Date.parse(b.insight.last_seen_at) - Date.parse(a.insight.last_seen_at)).slice(0, SHOWN);
  });
  return (
    <section class="home-card" aria-label="Newest insights">
      <h2 class="home-title">Newest insights</h2>
      <Show loaded={loaded} waiting={<Skeleton what="insights" height="6rem" />}>
        {(insights) =>
          insights.length === 0 ? (
            <p class="mb-0">
              No open insights. <a href={toHref(`${streams[0]!.path}/insights`)}>Enable insights</a> to have failures, slow spans
              and dropping scores found.
            </p>
          ) : (
            <ul class="home-list">
              {insights.map(({ insight: { id, title, last_seen_at }, stream }) => (
                <li key={id}>
                  <a href={toHref(`${stream.path}/insights`)} dir="auto">
                    {title}
                  </a>
                  <div class="small text-body-secondary">
                    {stream.name} · <Time at={last_seen_at} />
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
}
