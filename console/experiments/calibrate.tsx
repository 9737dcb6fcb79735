import { useState } from 'preact/hooks';
import type { Calibration } from '../../core/health/calibration/calibration.ts';
import { get, post } from '../api/client.ts';
import { Choice, named, worded } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { numberText } from '../kit/formatting.ts';
import { navigate } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface RunProps {
  readonly project_id: string;
  readonly run_id: string;
}

interface Enabled {
  readonly scorers: readonly { readonly id: string; readonly name: string }[];
}

const METHODS = worded({ isotonic: 'isotonic regression', platt: 'Platt scaling' });

/** Makes a version of a scorer that maps its scores to the rates at which they were true in the rows of an experiment. */
export function CalibrateButton(run: RunProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Calibrate a scorer
      </button>
      {isOpen && <CalibrateDialog {...run} onClose={() => setOpen(false)} />}
    </>
  );
}

function CalibrateDialog({ project_id, run_id, onClose }: RunProps & { readonly onClose: () => void }) {
  const settings = `/projects/${project_id}/experiments/${run_id}/metric_settings`;
  const loaded = useLoaded(settings, (signal) => get<Enabled>(settings, { signal }));
  const save = async (values: FormData): Promise<void> => {
    const scorer_id = String(values.get('scorer_id') ?? '');
    const positive_label = String(values.get('positive_label') ?? '').trim() || null;
    await post(`/projects/${project_id}/metrics-testing/${run_id}/calibrated-version`, {
      ...{ scorer_id, positive_label, method: values.get('method') },
    });
    navigate(`/scorers/${scorer_id}/versions`);
  };
  return (
    <FormDialog title="Calibrate a scorer" verb="Make a version" onClose={onClose} onSubmit={save}>
      <Show loaded={loaded}>
        {({ scorers }) =>
          scorers.length === 0 ? (
            <Empty title="No scorer is enabled in this experiment" />
          ) : (
            <Fields scorers={scorers} project_id={project_id} run_id={run_id} />
          )
        }
      </Show>
    </FormDialog>
  );
}

function Fields({ scorers, project_id, run_id }: RunProps & Enabled) {
  const [scorer_id, setScorer] = useState(scorers[0]!.id);
  return (
    <>
      <Choice label="Scorer" name="scorer_id" value={scorer_id} choices={scorers.map(named)} onChoose={setScorer} />
      <Choice label="Mapping" name="method" choices={METHODS} />
      <TextField label="Class" name="positive_label" help="That scores speak for. Empty: ground truth is Boolean." />
      <Measured scorer_id={scorer_id} project_id={project_id} run_id={run_id} />
    </>
  );
}

/** How far the scores are from the rates now, and would be with each mapping; of ground truth that is a yes or no. */
function Measured({ scorer_id, project_id, run_id }: RunProps & { readonly scorer_id: string }) {
  const calibration = `/projects/${project_id}/metrics-testing/${run_id}/calibration`;
  const loaded = useLoaded(`${calibration} ${scorer_id}`, (signal) => post<Calibration>(calibration, { scorer_id }, { signal }));
  return (
    <Show loaded={loaded}>
      {({ rows, scores, isotonic, platt }) => (
        <p class="small" role="status">
          {rows} rows with Boolean ground truth. Expected calibration error {numberText(scores?.ece)}, by isotonic regression{' '}
          {numberText(isotonic?.fit.ece)}, by Platt scaling {numberText(platt?.fit.ece)}.
        </p>
      )}
    </Show>
  );
}
