import { useState } from 'preact/hooks';
import type { MetricSettingsView } from '../../core/scorers/settings/metric-settings.ts';
import { get, patch } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { toHref } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { EnableDialog } from '../records/scoring/enable-dialog.tsx';
import { RecomputeButton } from '../records/scoring/recompute-dialog.tsx';
import type { ChangeSettings } from '../records/scoring/settings.ts';

interface ExperimentScorersProps {
  readonly project_id: string;
  readonly experiment_id: string;
}

/** The scorers that judge the rows of an experiment. */
export function ExperimentScorers({ project_id, experiment_id }: ExperimentScorersProps) {
  const [adding, setAdding] = useState(false);
  const path = `/projects/${project_id}/experiments/${experiment_id}/metric_settings`;
  const loaded = useLoaded(path, (signal) => get<MetricSettingsView>(path, { signal }));
  const change: ChangeSettings = async (getChange) => {
    await patch<MetricSettingsView>(path, getChange(await get<MetricSettingsView>(path)));
    loaded.reload();
  };
  return (
    <section class="mb-3" aria-label="Scorers">
      <Show loaded={loaded}>
        {({ scorers }) => (
          <>
            <div class="d-flex flex-wrap gap-2 align-items-center">
              <h2 class="h6 mb-0">Scorers</h2>
              <button
                type="button"
                class="btn btn-sm btn-outline-secondary"
                aria-haspopup="dialog"
                onClick={() => setAdding(true)}
              >
                Enable a scorer
              </button>
              {scorers.length > 0 && <RecomputeButton project_id={project_id} run={{ experiment_id }} scorers={scorers} />}
            </div>
            <ul class="list-unstyled d-flex flex-wrap gap-3 my-2">
              {scorers.map(({ id, name, scorer_version }) => (
                <li key={id} class="d-flex gap-2 align-items-center">
                  <a href={toHref(`/scorers/${id}`)}>{name}</a>
                  {scorer_version && <span class="text-body-secondary small">version {scorer_version.version}</span>}
                  <ConfirmButton
                    label={`Disable ${name}`}
                    question="New rows are not judged by it any more. What it has said stays."
                    onConfirm={() => change((now) => ({ scorers: now.scorers.filter((one) => one.id !== id) }))}
                  />
                </li>
              ))}
            </ul>
            <p class="text-body-secondary small">
              {scorers.length === 0 ? 'No scorer judges the rows.' : 'New rows are judged as they come.'} Rows that are there are
              judged by recomputing.
            </p>
            {adding && <EnableDialog enabled={scorers} change={change} onClose={() => setAdding(false)} />}
          </>
        )}
      </Show>
    </section>
  );
}
