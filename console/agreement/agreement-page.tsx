import { LogStreamHead } from '../projects/log-stream-head.tsx';
import { AgreementView } from './agreement-view.tsx';

/** How far the annotators of a log stream agree. */
export const AgreementPage = ({ params }: { params: Record<string, string> }) => (
  <LogStreamHead project_id={params.project_id!} log_stream_id={params.log_stream_id!} part="agreement">
    <AgreementView project_id={params.project_id!} run_id={params.log_stream_id!} />
  </LogStreamHead>
);
