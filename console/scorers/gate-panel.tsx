import { useState } from 'preact/hooks';
import type { Dataset } from '../../core/datasets/dataset.ts';
import type { GateReason, GateVerdict } from '../../core/health/gate-verdict.ts';
import type { ScorerGate } from '../../core/health/scorer-gate.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { post, put, remove } from '../api/client.ts';
import { Choice, named } from '../kit/choice.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { exactText } from '../kit/formatting.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { scorerPath } from './scorer-calls.ts';

interface GatePanelProps {
  readonly scorer: Scorer;
  readonly gate: ScorerGate | null;
  readonly datasets: readonly Dataset[];
  readonly onChanged: () => void;
}

/** Conditions of the gate before a version may become the default, and whether the latest meets them. */
export function GatePanel({ scorer, gate, datasets, onChanged }: GatePanelProps) {
  const [editing, setEditing] = useState(false);
  const path = `${scorerPath(scorer.id)}/gate`;
  const set = async (values: FormData): Promise<void> => {
    const days = Number(values.get('audit_days'));
    const audit = days > 0 ? { max_days: days, ...(gate?.audit && { probes: gate.audit.probes }) } : null;
    await put(path, { dataset_id: values.get('dataset_id'), margin: Number(values.get('margin')), audit });
    onChanged();
  };
  return (
    <section class="card" aria-label="Gate">
      <div class="card-body">
        <h2 class="h6">Gate</h2>
        {gate ? (
          <Terms scorer={scorer} gate={gate} datasets={datasets} />
        ) : (
          <p>Any version may become the default. A gate keeps back those whose health falls below that of the default version.</p>
        )}
        <div class="d-flex gap-2">
          <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setEditing(true)}>
            {gate ? 'Edit the gate' : 'Set a gate'}
          </button>
          {gate && (
            <ConfirmButton
              label="Remove"
              question="Let any version become the default?"
              onConfirm={async () => {
                await remove(path);
                onChanged();
              }}
            />
          )}
        </div>
        {editing && (
          <FormDialog title="Gate" verb="Set" onClose={() => setEditing(false)} onSubmit={set}>
            <Choice
              label="Dataset with ground truth"
              name="dataset_id"
              required
              choices={datasets.map(named)}
              value={gate?.dataset_id}
            />
            <TextField
              label="Margin"
              name="margin"
              required
              value={String(gate?.margin ?? 0.02)}
              help="How far below the default version another may be, in the unit of the health score."
            />
            <TextField
              label="Bias audit, days"
              name="audit_days"
              type="number"
              value={gate?.audit ? String(gate.audit.max_days) : ''}
              help="How old an audit without a finding may be. Empty for none."
            />
          </FormDialog>
        )}
      </div>
    </section>
  );
}

function Terms({ scorer, gate, datasets }: Omit<GatePanelProps, 'onChanged' | 'gate'> & { readonly gate: ScorerGate }) {
  const dataset = datasets.find(({ id }) => id === gate.dataset_id);
  const latest = scorer.latest_version;
  return (
    <>
      <p>
        At most <strong>{gate.margin}</strong> below the default version on <strong>{dataset?.name ?? 'a dataset'}</strong>
        {gate.audit && `, and a bias audit without a finding of the last ${gate.audit.max_days} days`}.
      </p>
      {latest && <Verdict scorer={scorer} gate={gate} version={latest.version} />}
    </>
  );
}

const scoreText = (side: GateVerdict['default']): string => exactText(side?.health_score?.score);

const REASONS: Readonly<Record<GateReason, string>> = {
  within_margin: 'is within the margin',
  below_margin: 'is too far below the default version',
  is_default: 'is the default version',
  no_default_version: 'passes: there is no default version yet',
  default_not_measured: 'passes: the default version was not measured',
  candidate_not_measured: 'has to be measured first',
  audit_missing: 'has to be tested for bias first',
  audit_outdated: 'has to be tested for bias again',
  audit_inconclusive: 'was tested for bias with too little data',
  bias_found: 'was found to be biased',
};

function Verdict({ scorer, gate, version }: { scorer: Scorer; gate: ScorerGate; version: number }) {
  const loaded = useLoaded(`verdict ${scorer.id} ${version} ${scorer.default_version_id} ${gate.updated_at}`, (signal) =>
    post<GateVerdict>(`${scorerPath(scorer.id)}/gate/check`, { version }, { signal }),
  );
  return (
    <Show loaded={loaded}>
      {({ passed, reason, candidate, default: standard }) => (
        <div class={`alert py-2 ${passed ? 'alert-success' : 'alert-danger'}`} role="status">
          <strong>{passed ? 'Open' : 'Closed'}</strong> for version {version}: it {REASONS[reason]}.
          {reason === 'below_margin' && (
            <div class="small">
              {scoreText(candidate)} against {scoreText(standard)} of version {standard?.scorer_version_number}
            </div>
          )}
        </div>
      )}
    </Show>
  );
}
