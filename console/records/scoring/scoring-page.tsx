import type { MetricSettingsView } from '../../../core/scorers/settings/metric-settings.ts';
import { get, patch } from '../../api/client.ts';
import { Show } from '../../kit/notices.tsx';
import { useLoaded } from '../../kit/use-loaded.ts';
import { LogStreamHead } from '../../projects/log-stream-head.tsx';
import '../../styles/records.css';
import { EnabledScorers } from './enabled-scorers.tsx';
import { RecomputeButton } from './recompute-dialog.tsx';
import { SampleRates } from './sample-rates.tsx';
import type { ChangeSettings } from './settings.ts';

/** Which scorers judge what is logged here, and how much of it. */
export function ScoringPage({ params }: { params: Record<string, string> }) {
  const [project_id, log_stream_id] = [params.project_id!, params.log_stream_id!];
  const path = `/projects/${project_id}/log_streams/${log_stream_id}/metric_settings`;
  const loaded = useLoaded(path, (signal) => get<MetricSettingsView>(path, { signal }));
  const change: ChangeSettings = async (getChange) => {
    await patch<MetricSettingsView>(path, getChange(await get<MetricSettingsView>(path)));
    loaded.reload();
  };
  return (
    <LogStreamHead project_id={project_id} log_stream_id={log_stream_id} part="scorers">
      <Show loaded={loaded}>
        {({ scorers, segment_filters }) => (
          <>
            <EnabledScorers
              place={{ project_id, log_stream_id }}
              scorers={scorers}
              change={change}
              onResumed={loaded.reload}
              actions={<RecomputeButton project_id={project_id} run={{ log_stream_id }} scorers={scorers} />}
            />
            <SampleRates segments={segment_filters} change={change} />
          </>
        )}
      </Show>
    </LogStreamHead>
  );
}
