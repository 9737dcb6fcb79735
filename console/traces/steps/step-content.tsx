import type { JsonValue } from '../../../core/kernel/json.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { PayloadView } from '../payload-view.tsx';
import type { TraceNode } from './step.ts';

/** Input and output of a step, their redacted forms, and the expected answer. */
export function StepContent({ record }: { record: TraceNode }) {
  const { input, output, redacted_input, redacted_output, dataset_output } = record;
  return (
    <>
      <Side title="Input" value={input} />
      {redacted_input !== null && <Side title="Redacted input" value={redacted_input} />}
      <Side title="Output" value={output} />
      {redacted_output !== null && <Side title="Redacted output" value={redacted_output} />}
      {dataset_output !== null && <Side title="Wanted output" value={dataset_output} />}
    </>
  );
}

export const Side = ({ title, value }: { title: string; value: JsonValue }) => (
  <section class="mb-3">
    <h3 class="side-title">
      {title}
      {value !== null && value !== '' && (
        <CopyButton text={() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))} />
      )}
    </h3>
    <PayloadView value={value} />
  </section>
);
