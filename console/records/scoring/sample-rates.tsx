import { useState } from 'preact/hooks';
import type { MetricSettingsView } from '../../../core/scorers/settings/metric-settings.ts';
import { Check } from '../../kit/check.tsx';
import { TextField } from '../../kit/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { percentText } from '../../kit/formatting.ts';
import { Failure } from '../../kit/notices.tsx';
import { useAction } from '../../kit/use-action.ts';
import { ConditionFields } from './condition-fields.tsx';
import { conditionText, readScorerCondition } from './scorer-condition.ts';
import type { ChangeSettings } from './settings.ts';

type Segment = MetricSettingsView['segment_filters'][number];

/** How large a share of the records is judged: the first row that holds for a record and a scorer says it. */
export function SampleRates({ segments, change }: { segments: readonly Segment[]; change: ChangeSettings }) {
  const [adding, setAdding] = useState(false);
  const drop = useAction((at: number) =>
    change(({ segment_filters }) => ({ segment_filters: segment_filters.toSpliced(at, 1) })),
  );
  return (
    <section>
      <div class="d-flex gap-2 align-items-center mb-2">
        <h2 class="h6 mb-0 me-auto">Sampling</h2>
        <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setAdding(true)}>
          Add a sample rate
        </button>
      </div>
      <Failure error={drop.error} />
      {segments.length === 0 ? (
        <p class="text-body-secondary">All traces are scored. A sample rate scores a share of them.</p>
      ) : (
        <ol class="list-group list-group-numbered">
          {segments.map((segment, at) => (
            <li class="list-group-item d-flex gap-2 align-items-center" key={JSON.stringify(segment)}>
              <span class="me-auto">{segmentText(segment)}</span>
              <button
                type="button"
                class="btn btn-sm btn-outline-secondary"
                aria-label={`Remove ${segmentText(segment)}`}
                disabled={drop.busy}
                onClick={() => drop.run(at)}
              >
                Remove
              </button>
            </li>
          ))}
        </ol>
      )}
      {adding && <SampleDialog change={change} onClose={() => setAdding(false)} />}
    </section>
  );
}

function segmentText({ sample_rate, filter, llm_scorers, multimodal_scorers }: Segment): string {
  const who = llm_scorers ? 'scorers that ask models' : multimodal_scorers ? 'scorers of images and sounds' : 'all scorers';
  return `${percentText(sample_rate)} ${filter ? `where ${conditionText(filter)}` : 'of all records'}, for ${who}`;
}

const SampleDialog = ({ change, onClose }: { change: ChangeSettings; onClose: () => void }) => (
  <FormDialog
    title="Add a sample rate"
    verb="Add"
    onClose={onClose}
    onSubmit={(values) => {
      const sample_rate = Number(values.get('percent')) / 100;
      const segment = { sample_rate, filter: readScorerCondition(values), llm_scorers: values.has('llm_scorers') };
      return change(({ segment_filters }) => ({ segment_filters: [...segment_filters, segment] }));
    }}
  >
    <TextField label="Share in percent" name="percent" type="number" value="10" required />
    <ConditionFields />
    <Check name="llm_scorers" label="For scorers that ask models alone" />
  </FormDialog>
);
