import { useState } from 'preact/hooks';
import type { Dataset } from '../../../core/datasets/dataset.ts';
import type { JudgeAudit, JudgeAuditPlan, JudgeAuditReport, JudgeAuditStarted } from '../../../core/health/bias/judge-audit.ts';
import type { Scorer } from '../../../core/scorers/scorer-view.ts';
import type { ScorerVersion } from '../../../core/scorers/versions/scorer-version.ts';
import { get, post } from '../../api/client.ts';
import { Check } from '../../kit/check.tsx';
import { Choice, named } from '../../kit/choice.tsx';
import { TextField } from '../../kit/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { costText, numberText, probabilityText, valueText } from '../../kit/formatting.ts';
import { Failure, Show } from '../../kit/notices.tsx';
import { Table } from '../../kit/table.tsx';
import { TableHeaders } from '../../kit/table-headers.tsx';
import { Time } from '../../kit/time.tsx';
import { useAction } from '../../kit/use-action.ts';
import { useLoaded } from '../../kit/use-loaded.ts';
import { scorerPath } from '../scorer-calls.ts';
import { effectText, PROBE_LABELS, planText, statusText, toAuditRequest, VERDICT_LABELS } from './bias-text.ts';

type ProbeResult = JudgeAuditReport['probes'][number];

const AGAIN_MS = 2_000;
const MOST = 100;
const BUILT_IN = { id: '', label: 'built-in texts' };
const PROBES = Object.keys(PROBE_LABELS) as (keyof typeof PROBE_LABELS)[];

/** Audits of one version: started here, followed, and read. */
export function BiasView({ scorer, version }: { scorer: Scorer; version: ScorerVersion }) {
  const [isPlanning, setPlanning] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const path = `${scorerPath(scorer.id)}/audits`;
  const loaded = useLoaded(
    `audits ${version.id}`,
    async (signal) => {
      const { audits } = await get<{ readonly audits: readonly JudgeAudit[] }>(path, {
        query: { version: version.version },
        signal,
      });
      setRunning(audits.some(({ status }) => status === 'running'));
      return audits;
    },
    { everyMs: isRunning ? AGAIN_MS : undefined },
  );
  return (
    <>
      <Show loaded={loaded}>{(audits) => <Audits path={path} audits={audits} onChanged={loaded.reload} />}</Show>
      {!isRunning && (
        <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setPlanning(true)}>
          Test for bias
        </button>
      )}
      {isPlanning && <PlanDialog path={path} version={version} onClose={() => setPlanning(false)} onStarted={loaded.reload} />}
    </>
  );
}

interface AuditsProps {
  readonly path: string;
  readonly audits: readonly JudgeAudit[];
  readonly onChanged: () => void;
}

/** The newest, and the older ones by their findings. */
function Audits({ path, audits, onChanged }: AuditsProps) {
  const [newest, ...older] = audits;
  if (!newest) return <p class="text-body-secondary">This version was not tested for bias yet.</p>;
  return (
    <>
      <Audit path={path} audit={newest} onChanged={onChanged} />
      {older.length > 0 && (
        <details class="mb-2">
          <summary>Earlier audits</summary>
          <ul class="mb-0">
            {older.map((audit) => (
              <li key={audit.id}>
                <Time at={audit.created_at} />: {statusText(audit)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Audit({ path, audit, onChanged }: { path: string; audit: JudgeAudit; onChanged: () => void }) {
  const cancel = useAction(async () => {
    await post(`${path}/${audit.id}/cancel`);
    onChanged();
  });
  const { report, plan, status, questions_asked } = audit;
  return (
    <>
      <p role="status" class="mb-2">
        {statusText(audit)} <Time at={audit.finished_at ?? audit.created_at} />
      </p>
      {status === 'running' && (
        <div class="d-flex gap-2 align-items-center mb-2">
          <progress class="flex-grow-1" aria-label="Progress of the audit" value={questions_asked} max={plan.questions} />
          <button type="button" class="btn btn-sm btn-outline-secondary" disabled={cancel.busy} onClick={() => void cancel.run()}>
            Cancel
          </button>
        </div>
      )}
      <Failure error={cancel.error} />
      {report && <Report report={report} />}
    </>
  );
}

function Report({ report }: { report: JudgeAuditReport }) {
  return (
    <>
      <Table class="table table-sm align-middle">
        <TableHeaders of={['Probe', 'Result', 'Effect (95 % interval)', { end: 'Pairs' }, { end: 'p, corrected' }]} />
        <tbody>
          {report.probes.map((result) => (
            <ProbeRow key={result.probe} result={result} />
          ))}
        </tbody>
      </Table>
      <p class="text-body-secondary small">
        {numberText(report.questions)} questions, {numberText(report.unanswered)} without a verdict, {costText(report.cost)}.
      </p>
      {report.probes
        .filter(({ changed, groups }) => changed.length + groups.length > 0)
        .map((result) => (
          <Details key={result.probe} result={result} />
        ))}
    </>
  );
}

const BADGES = { biased: 'text-bg-danger', not_shown: 'text-bg-success', not_enough_data: 'text-bg-secondary' } as const;

const ProbeRow = ({ result }: { result: ProbeResult }) => (
  <tr>
    <td>{PROBE_LABELS[result.probe]}</td>
    <td>
      <span class={`badge ${BADGES[result.verdict]}`}>{VERDICT_LABELS[result.verdict]}</span>
    </td>
    <td>{effectText(result)}</td>
    <td class="text-end">{numberText(result.pairs)}</td>
    <td class="text-end">{probabilityText(result.adjusted_p_value)}</td>
  </tr>
);

const Details = ({ result }: { result: ProbeResult }) => (
  <details class="mb-2">
    <summary>{PROBE_LABELS[result.probe]}: what changed</summary>
    {result.groups.length > 0 && (
      <Table class="table table-sm w-auto">
        <TableHeaders of={['Part', { end: 'Pairs' }, { end: 'Effect' }]} />
        <tbody>
          {result.groups.map(({ name, pairs, effect }) => (
            <tr key={name}>
              <td>{name.replaceAll('_', ' ')}</td>
              <td class="text-end">{numberText(pairs)}</td>
              <td class="text-end">{numberText(effect)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    )}
    {result.changed.length > 0 && (
      <Table class="table table-sm w-auto">
        <TableHeaders of={['Text', 'Verdict before', 'Verdict after']} />
        <tbody>
          {result.changed.map(({ case: name, before, after }) => (
            <tr key={name}>
              <td>{name.replaceAll('_', ' ')}</td>
              <td>{valueText(before)}</td>
              <td>{valueText(after)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    )}
  </details>
);

interface PlanProps {
  readonly path: string;
  readonly version: ScorerVersion;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

/** Says first what the audit asks and costs; the second press starts it. */
function PlanDialog({ path, version, onClose, onStarted }: PlanProps) {
  const [plan, setPlan] = useState<JudgeAuditPlan>();
  const datasets = useLoaded('datasets to audit with', async (signal) => {
    const page = await get<{ readonly datasets: readonly Dataset[] }>('/datasets', { query: { limit: MOST }, signal });
    return page.datasets;
  });
  const forecast = useAction(async (form: HTMLFormElement | null) => {
    if (!form) return;
    const request = toAuditRequest(new FormData(form), version.version);
    setPlan((await post<JudgeAuditStarted>(path, { ...request, max_cost: null, dry_run: true })).plan);
  });
  return (
    <FormDialog
      title={`Test version ${version.version} for bias`}
      verb="Start"
      onClose={onClose}
      onSubmit={async (values) => {
        await post<JudgeAuditStarted>(path, toAuditRequest(values, version.version));
        onStarted();
      }}
    >
      <p>The judge is asked about pairs of texts that differ in one thing. Your integrations are used.</p>
      <fieldset class="mb-3">
        <legend class="form-label fs-6">Probes</legend>
        {PROBES.map((probe) => (
          <Check key={probe} label={PROBE_LABELS[probe]} name="probes" value={probe} checked />
        ))}
      </fieldset>
      <Show loaded={datasets}>
        {(found) => <Choice label="Texts" name="dataset_id" choices={[BUILT_IN, ...found.map(named)]} value="" />}
      </Show>
      <TextField
        label="Budget in US dollars"
        name="max_cost"
        type="number"
        step="any"
        help="The audit ends when it is spent. Without one it goes on to its end."
      />
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        disabled={forecast.busy}
        onClick={({ currentTarget }) => void forecast.run(currentTarget.form)}
      >
        Estimate the cost
      </button>
      <Failure error={forecast.error} />
      {plan && (
        <p class="mt-2 mb-0" role="status">
          {planText(plan)}
        </p>
      )}
    </FormDialog>
  );
}
