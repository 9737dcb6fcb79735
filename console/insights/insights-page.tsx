import type { Insight, InsightStatus } from '../../core/insights/insight.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { get } from '../api/client.ts';
import { BarChoice } from '../kit/choice.tsx';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { LogStreamHead } from '../projects/log-stream-head.tsx';
import '../styles/insights.css';
import { InsightCard } from './insight-card.tsx';
import { InsightsSwitch } from './insights-switch.tsx';

type InsightPage = PageFields & { readonly insights: readonly Insight[] };
const LIMIT = 20;
const LIVE_MS = 15_000;
const STATUSES: readonly { readonly id: InsightStatus | 'all'; readonly label: string }[] = [
  { id: 'open', label: 'Open' },
  { id: 'dismissed', label: 'Dismissed' },
  { id: 'all', label: 'All' },
];

/** Insights into the records of a log stream, the most pressing first. */
export function InsightsPage({ params }: { params: Record<string, string> }) {
  const [project_id, log_stream_id] = [params.project_id!, params.log_stream_id!];
  return (
    <LogStreamHead project_id={project_id} log_stream_id={log_stream_id} part="insights">
      <Insights path={`/projects/${project_id}/runs/${log_stream_id}`} project_id={project_id} />
    </LogStreamHead>
  );
}

function Insights({ path, project_id }: { path: string; project_id: string }) {
  const [view, change] = useView();
  const status = STATUSES.find(({ id }) => id === view.get('status'))?.id ?? 'open';
  const starting_token = startIn(view);
  const loaded = useLoaded(
    `${path} insights ${status} ${starting_token}`,
    (signal) =>
      get<InsightPage>(`${path}/insights`, {
        query: { starting_token, limit: LIMIT, status: status === 'all' ? undefined : status },
        signal,
      }),
    { everyMs: LIVE_MS },
  );
  return (
    <>
      <div class="d-flex flex-wrap gap-3 align-items-center mb-3">
        <BarChoice
          label="Status"
          choices={STATUSES}
          value={status}
          onChoose={(chosen) => change({ status: chosen === 'open' ? undefined : chosen, from: undefined })}
        />
        <InsightsSwitch path={path} onChanged={loaded.reload} />
      </div>
      <Show loaded={loaded}>
        {(page) =>
          page.insights.length === 0 ? (
            <NoInsights status={status} />
          ) : (
            <>
              {page.insights.map((insight) => (
                <InsightCard key={insight.id} insight={insight} path={path} project_id={project_id} onChanged={loaded.reload} />
              ))}
              <ViewPager page={page} />
            </>
          )
        }
      </Show>
    </>
  );
}

const NoInsights = ({ status }: { status: (typeof STATUSES)[number]['id'] }) => (
  <Empty title={status === 'dismissed' ? 'Nothing was dismissed' : 'No insights yet'}>
    {status !== 'dismissed' && (
      <p>
        Enable insights to scan the records of the last day every ten minutes: for spans that fail alike, are slow or costly, for
        scores that drop and for tools that are called in a loop.
      </p>
    )}
  </Empty>
);
