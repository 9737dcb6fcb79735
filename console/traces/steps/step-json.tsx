import { CopyButton } from '../../kit/copy-button.tsx';
import { LongText } from '../long-text.tsx';
import type { TraceNode } from './step.ts';

/** The record as the API gives it, without what stands below it. */
export function StepJson({ record }: { record: TraceNode }) {
  const { spans: _below, ...own } = record;
  const text = JSON.stringify(own, null, 2);
  return (
    <>
      <div class="text-end mb-1">
        <CopyButton label="Copy JSON" text={() => text} />
      </div>
      <LongText mono text={text} />
    </>
  );
}
