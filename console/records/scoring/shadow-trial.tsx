import { useState } from 'preact/hooks';
import type { ShadowReport } from '../../../core/health/shadow-report.ts';
import type { ShadowTrial as Trial } from '../../../core/scorers/shadow/shadow-trial.ts';
import { get, put, remove } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { Choice } from '../../kit/choice.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/field.tsx';
import { numberText, percentText, valueText } from '../../kit/formatting.ts';
import { toHref } from '../../kit/location.ts';
import { Failure, Show } from '../../kit/notices.tsx';
import { Table } from '../../kit/table.tsx';
import { TableHeaders } from '../../kit/table-headers.tsx';
import { useAction } from '../../kit/use-action.ts';
import { useLoaded } from '../../kit/use-loaded.ts';
import { listVersions } from '../../scorers/scorer-calls.ts';
import type { Entry, RunPlace } from './settings.ts';

interface ShadowTrialProps {
  readonly place: RunPlace;
  readonly entry: Entry;
}

type ReportedTrial = Trial & { readonly report: ShadowReport };
type Differing = ShadowReport['differing'][number];

/** A report reads the scores of up to 20,000 records. */
const LIVE_MS = 15_000;
const PERCENT = 100;

/** Tries another version on live records, where its scores do not count, and shows how far it is from the one in use. */
export function ShadowTrial({ place, entry }: ShadowTrialProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary me-2"
        aria-label={`Shadow trial of ${entry.name}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Shadow trial
      </button>
      {isOpen && <TrialDialog place={place} entry={entry} onClose={() => setOpen(false)} />}
    </>
  );
}

interface TrialDialogProps extends ShadowTrialProps {
  readonly onClose: () => void;
}

function TrialDialog({ place: { project_id, log_stream_id }, entry, onClose }: TrialDialogProps) {
  const path = `/projects/${project_id}/runs/${log_stream_id}/shadow-trials/${entry.id}`;
  const loaded = useLoaded(path, (signal) => findTrial(path, signal), { everyMs: LIVE_MS });
  const versions = useLoaded(`versions of ${entry.id}`, (signal) => listVersions(entry.id, 0, signal));
  const numberOf = (id: string): string => String(versions.value?.versions.find((one) => one.id === id)?.version ?? id);
  return (
    <Dialog title={`Shadow trial of ${entry.name}`} wide onClose={onClose}>
      <Show loaded={loaded}>
        {(trial) =>
          trial ? (
            <RunningTrial
              toUrl={(record) => toRecordUrl({ project_id, log_stream_id }, record)}
              path={path}
              trial={trial}
              version={numberOf(trial.scorer_version_id)}
              reload={loaded.reload}
            />
          ) : (
            <Show loaded={versions}>
              {(page) => (
                <NewTrial
                  path={path}
                  choices={page.versions.map(({ id, version }) => ({ id, label: String(version) }))}
                  reload={loaded.reload}
                />
              )}
            </Show>
          )
        }
      </Show>
    </Dialog>
  );
}

/** Null where none is under way. */
async function findTrial(path: string, signal: AbortSignal): Promise<ReportedTrial | null> {
  try {
    return await get<ReportedTrial>(path, { signal });
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

interface NewTrialProps {
  /** Of the trial, in the API. */
  readonly path: string;
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  readonly reload: () => void;
}

function NewTrial({ path, choices, reload }: NewTrialProps) {
  const start = useAction(async (values: FormData) => {
    const sample_rate = Number(values.get('percent')) / PERCENT;
    await put(path, { scorer_version_id: values.get('version'), sample_rate });
    reload();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start.run(new FormData(event.currentTarget));
      }}
    >
      <p>The version scores a share of new records beside the one in use. Its scores are shown here alone and count nowhere.</p>
      <Choice label="Version" name="version" required choices={choices} />
      <TextField label="Percent of records" name="percent" type="number" step="any" value="10" required />
      <Failure error={start.error} />
      <footer class="d-flex justify-content-end mt-3">
        <button type="submit" class="btn btn-primary" disabled={start.busy}>
          Start trial
        </button>
      </footer>
    </form>
  );
}

interface RunningTrialProps {
  /** Where a differing record is shown; undefined where it is gone. */
  readonly toUrl: (record: Differing) => string | undefined;
  readonly path: string;
  readonly trial: ReportedTrial;
  /** Its number. */
  readonly version: string;
  readonly reload: () => void;
}

function RunningTrial({ toUrl, path, trial: { sample_rate, report }, version, reload }: RunningTrialProps) {
  const stop = useAction(async () => {
    await remove(path);
    reload();
  });
  return (
    <>
      <p>
        Version {version} scores {percentText(sample_rate)} of new records. Stopping the trial deletes what it said.
      </p>
      <dl class="facts">
        <Fact label="Records" text={`${numberText(report.records)}${report.is_partial ? ' (partial)' : ''}`} />
        <Fact label="Compared" text={numberText(report.compared)} />
        <Fact
          label="Failed, trial / in use"
          text={`${numberText(report.candidate_failed)} / ${numberText(report.default_failed)}`}
        />
        <Fact label="Agreement" text={percentText(report.agreement)} />
        <Fact label="Mean, trial / in use" text={`${numberText(report.candidate_mean)} / ${numberText(report.default_mean)}`} />
      </dl>
      {report.differing.length > 0 && (
        <Table class="table table-rows">
          <TableHeaders of={['Record that differs', 'Trial', 'In use']} />
          <tbody>
            {report.differing.map((record) => (
              <tr key={record.record_id}>
                <td>
                  <DifferingLink record={record} url={toUrl(record)} />
                </td>
                <td>{valueText(record.candidate)}</td>
                <td>{valueText(record.default)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <Failure error={stop.error} />
      <footer class="d-flex justify-content-end mt-3">
        <button type="button" class="btn btn-outline-danger" disabled={stop.busy} onClick={() => stop.run()}>
          Stop trial
        </button>
      </footer>
    </>
  );
}

const DifferingLink = ({ record, url }: { record: Differing; url: string | undefined }) => {
  const text = record.record_type ? `${record.record_type} ${record.record_id}` : record.record_id;
  return url ? <a href={toHref(url)}>{text}</a> : <>{text}</>;
};

function toRecordUrl(
  { project_id, log_stream_id }: Pick<RunPlace, 'project_id' | 'log_stream_id'>,
  { record_id, record_type, trace_id }: Differing,
): string | undefined {
  if (record_type === 'session') return `/projects/${project_id}/log_streams/${log_stream_id}/sessions/${record_id}`;
  if (trace_id === null) return undefined;
  return `/projects/${project_id}/traces/${trace_id}${record_type === 'span' ? `?span=${record_id}` : ''}`;
}

const Fact = ({ label, text }: { label: string; text: string }) => (
  <>
    <dt>{label}</dt>
    <dd>{text}</dd>
  </>
);
