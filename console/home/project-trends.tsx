import type { WidgetData } from '../../core/trends/widget-query.ts';
import { post } from '../api/client.ts';
import { Chart } from '../kit/chart.tsx';
import { costText, durationText, numberText, percentText, zonedTimestampText } from '../kit/formatting.ts';
import { Failure, Show, Skeleton } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { loadTrendChanges } from '../trends/changes.ts';
import { queryTime, type TimeView } from '../trends/time-range.ts';
import { type StreamChanges, toProjectMarks } from './changes.ts';
import { type ProjectFigures, type Trend, toProjectFigures } from './figures.ts';
import type { ProjectStream } from './streams.ts';

interface ProjectTrendsProps {
  readonly project_id: string;
  readonly streams: readonly ProjectStream[];
  readonly time: TimeView;
}

/** Traffic, errors, latency, cost and quality of the log streams together. */
export function ProjectTrends({ project_id, streams, time }: ProjectTrendsProps) {
  const ids = streams.map(({ id }) => id).join();
  const figures = useLoaded(`home ${project_id} ${ids} ${JSON.stringify(time)}`, (signal) => loadFigures(streams, time, signal));
  const changes = useLoaded(`changes ${project_id} ${ids} ${JSON.stringify(time)}`, (signal) =>
    loadChanges(streams, time, signal),
  );
  return (
    <section aria-label="Trends" class="mb-3">
      <Show loaded={figures} waiting={<Skeleton what="trends" height="14rem" />}>
        {(known) =>
          (known.traces.total ?? 0) === 0 ? (
            <p class="home-card text-body-secondary mb-0">No traces in this time. Choose a longer one.</p>
          ) : (
            <>
              <div class="home-trends">
                <TrendCard title="Traces" trend={known.traces} x={known.x} text={numberText} isStacked />
                <TrendCard title="Error rate" trend={known.error_rate} x={known.x} text={percentText} />
                <TrendCard title="Latency, p95" trend={known.latency} x={known.x} text={durationText} />
                <TrendCard title="Cost" trend={known.cost} x={known.x} text={costText} isStacked />
              </div>
              <QualityCard figures={known} changes={changes.value ?? []} />
            </>
          )
        }
      </Show>
      <Failure error={changes.error} onRetry={changes.reload} />
    </section>
  );
}

async function loadFigures(streams: readonly ProjectStream[], time: TimeView, signal: AbortSignal): Promise<ProjectFigures> {
  const query = queryTime(time, new Date());
  const found = streams.map(async ({ name, path }) => {
    const { widgets } = await post<{ widgets: WidgetData[] }>(`${path}/trends/widgets/query`, query, { signal });
    return { name, widgets };
  });
  return toProjectFigures(await Promise.all(found));
}

function loadChanges(streams: readonly ProjectStream[], time: TimeView, signal: AbortSignal): Promise<StreamChanges[]> {
  const query = queryTime(time, new Date());
  const load = async ({ name, path }: ProjectStream): Promise<StreamChanges> => {
    return { name, changes: await loadTrendChanges(`${path}/trends`, query, signal) };
  };
  return Promise.all(streams.map(load));
}

const placeText = (at: number): string => zonedTimestampText(new Date(at * 1000).toISOString());

interface TrendCardProps {
  readonly title: string;
  readonly trend: Trend;
  readonly x: readonly number[];
  readonly text: (value: number | null) => string;
  readonly isStacked?: boolean;
}

const TrendCard = ({ title, trend, x, text, isStacked = false }: TrendCardProps) => (
  <section class="home-card" aria-label={title}>
    <h2 class="home-title">{title}</h2>
    <div class="home-figure">{text(trend.total)}</div>
    {trend.series.length > 0 && (
      <Chart
        label={title}
        x={x}
        xText={placeText}
        xHeading="From"
        series={trend.series}
        valueText={text}
        isTime
        isStacked={isStacked}
        height={110}
      />
    )}
  </section>
);

/** Scores over time, with the changes that may be why they are not what they were. */
function QualityCard({ figures: { x, quality }, changes }: { figures: ProjectFigures; changes: readonly StreamChanges[] }) {
  const marks = toProjectMarks(x, quality.metrics, changes);
  return (
    <section class="home-card home-quality" aria-label="Quality">
      <h2 class="home-title">Quality</h2>
      {quality.series.length === 0 ? (
        <p class="text-body-secondary mb-0">No scores in this time. Enable scorers in a log stream to see its quality here.</p>
      ) : (
        <Chart
          label="Quality"
          x={x}
          xText={placeText}
          xHeading="From"
          series={quality.series}
          valueText={percentText}
          isTime
          bounds={[0, 1.05]}
          height={160}
          marks={marks}
          tellsMarks
        />
      )}
    </section>
  );
}
