import { useState } from 'preact/hooks';
import type { AnnotationTemplate } from '../../core/ratings/annotation-template.ts';
import type { Agreement } from '../../core/ratings/rater-agreement.ts';
import type { TruthRule } from '../../core/ratings/truth.ts';
import { get, patch, remove } from '../api/client.ts';
import { BarChoice } from '../kit/choice.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { numberText } from '../kit/formatting.ts';
import { Empty, Failure, Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { allUsers } from '../people/users.ts';
import { RULE_LABELS, RULES } from './rules.ts';

interface RunProps {
  readonly project_id: string;
  readonly run_id: string;
}

/** Each annotation field of a project with the agreement of its raters in one run, and how several answers make one value. */
export function AgreementView({ project_id, run_id }: RunProps) {
  const path = `/projects/${project_id}/annotation_templates`;
  const loaded = useLoaded(path, (signal) => get<readonly AnnotationTemplate[]>(path, { signal }));
  return (
    <Show loaded={loaded}>
      {(fields) =>
        fields.length === 0 ? (
          <Empty title="No annotation fields yet">
            <p class="mb-0">
              Open a trace and add a field under Feedback. Once two people have answered, this shows how far they agree.
            </p>
          </Empty>
        ) : (
          <>
            <p class="text-body-secondary">
              1 is full agreement, 0 is what chance alone would give. Only records that several people answered count.
            </p>
            {fields.map((field) => (
              <FieldAgreement key={field.id} project_id={project_id} run_id={run_id} field={field} onChanged={loaded.reload} />
            ))}
          </>
        )
      }
    </Show>
  );
}

interface FieldProps extends RunProps {
  readonly field: AnnotationTemplate;
  readonly onChanged: () => void;
}

function FieldAgreement({ project_id, run_id, field, onChanged }: FieldProps) {
  const { id, name, annotation_type, truth_rule } = field;
  const path = `/projects/${project_id}/runs/${run_id}/annotation_templates/${id}/agreement`;
  const loaded = useLoaded(path, (signal) => get<Agreement>(path, { signal }));
  const fieldPath = `/projects/${project_id}/annotation_templates/${id}`;
  const save = useAction(async (rule: TruthRule) => {
    await patch(fieldPath, { truth_rule: rule });
    onChanged();
  });
  return (
    <section class="mb-4" aria-label={name}>
      <div class="d-flex flex-wrap gap-3 align-items-center mb-2">
        <h2 class="h6 mb-0 text-break" dir="auto">
          {name}
        </h2>
        <span class="small text-body-secondary">Several answers become one by</span>
        <BarChoice
          label={`Rule for ${name}`}
          choices={RULES[annotation_type].map((rule) => ({ id: rule, label: RULE_LABELS[rule] }))}
          value={truth_rule}
          onChoose={(rule) => void save.run(rule)}
        />
        <ConfirmButton
          label={`Delete ${name}`}
          quiet
          question={`Delete the annotation field ${name} with all answers to it, in every log stream of the project? This cannot be undone.`}
          onConfirm={async () => {
            await remove(fieldPath);
            onChanged();
          }}
        />
      </div>
      <Failure error={save.error} />
      <Show loaded={loaded}>{(agreement) => <Figures agreement={agreement} />}</Show>
    </section>
  );
}

function Figures({ agreement }: { agreement: Agreement }) {
  const [isOpen, setOpen] = useState(false);
  const { num_raters, num_records, num_shared, scale, krippendorff_alpha, fleiss_kappa, pairs } = agreement;
  return (
    <>
      <dl class="facts">
        <Figure label="Raters" value={num_raters} />
        <Figure label="Records with an answer" value={num_records} />
        <Figure label="Records with several" value={num_shared} />
        <Figure label={`Krippendorff's alpha (${scale})`} value={krippendorff_alpha} />
        <Figure label="Fleiss' kappa" value={fleiss_kappa} />
      </dl>
      {pairs.length > 0 && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>Pairs of raters</summary>
          {isOpen && <Pairs pairs={pairs} />}
        </details>
      )}
    </>
  );
}

const Figure = ({ label, value }: { label: string; value: number | null }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <strong>{numberText(value)}</strong>
    </dd>
  </div>
);

function Pairs({ pairs }: { pairs: Agreement['pairs'] }) {
  const users = useLoaded('all users', allUsers).value ?? [];
  const nameOf = (id: string): string => users.find((user) => user.id === id)?.email ?? id.slice(0, 8);
  return (
    <Table class="table table-rows">
      <TableHeaders of={['Rater', 'Rater', { end: 'Records of both' }, { end: "Cohen's kappa" }]} />
      <tbody>
        {pairs.map(({ annotator_ids: [one, other], num_records, cohen_kappa }) => (
          <tr key={`${one} ${other}`}>
            <td>{nameOf(one)}</td>
            <td>{nameOf(other)}</td>
            <td class="text-end">{numberText(num_records)}</td>
            <td class="text-end">{numberText(cohen_kappa)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
