import '../styles/home.css';
import type { LogStream } from '../../core/projects/log-stream.ts';
import { BarChoice } from '../kit/choice.tsx';
import { useView } from '../kit/location.ts';
import { Empty } from '../kit/notices.tsx';
import { isRolling, RANGES, rangeChanges, readTime } from '../trends/time-range.ts';
import { LatestAlerts } from './latest-alerts.tsx';
import { LatestExperiments } from './latest-experiments.tsx';
import { LatestInsights } from './latest-insights.tsx';
import { ProjectTrends } from './project-trends.tsx';
import { busiestStreams, MOST_STREAMS } from './streams.ts';

interface ProjectHomeProps {
  readonly project_id: string;
  readonly log_streams: readonly LogStream[];
}

const CHOSEN = { id: 'custom', label: 'Chosen time' };

/** How a project is doing: its trends, and the newest insights, alerts and experiments. */
export function ProjectHome({ project_id, log_streams }: ProjectHomeProps) {
  const [view, change] = useView();
  const time = readTime(view);
  const streams = busiestStreams(log_streams);
  if (streams.length === 0)
    return (
      <Empty title="No traces yet">
        <p class="mb-0">
          Open a log stream to send its first trace. Traffic, errors, latency, cost and quality stand here from then on.
        </p>
      </Empty>
    );
  return (
    <>
      <div class="d-flex flex-wrap gap-2 align-items-center mb-2">
        <BarChoice
          label="Time range"
          choices={isRolling(time) ? RANGES : [CHOSEN, ...RANGES]}
          value={time.range}
          onChoose={(range) => range !== CHOSEN.id && change(rangeChanges(range))}
        />
        {log_streams.length > MOST_STREAMS && (
          <span class="small text-body-secondary">The {MOST_STREAMS} log streams with most traces</span>
        )}
      </div>
      <ProjectTrends project_id={project_id} streams={streams} time={time} />
      <div class="home-latest">
        <LatestInsights project_id={project_id} streams={streams} />
        <LatestAlerts project_id={project_id} streams={streams} />
        <LatestExperiments project_id={project_id} />
      </div>
    </>
  );
}
