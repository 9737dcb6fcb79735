import { Waiting } from '../../kit/notices.tsx';
import type { RunPlace } from '../run-place.ts';
import type { TraceNode } from '../steps/step.ts';
import { RecordComments } from './record-comments.tsx';

/** Comments of people on a step. */
export function StepComments({ record: { project_id, id }, run }: { record: TraceNode; run: RunPlace | undefined }) {
  return run ? <RecordComments project_id={project_id} record_id={id} ids={run.ids} /> : <Waiting />;
}
