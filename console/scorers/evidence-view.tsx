import type { z } from 'zod';
import type { EvidenceView as EvidenceShape } from '../../core/scorers/validation/validation.ts';
import { get } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { clipped, durationText, numberText, valueText } from '../kit/formatting.ts';
import { Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { scorerPath } from './scorer-calls.ts';

type Evidence = z.output<typeof EvidenceShape>;

/** Evidence of the trial that a version was made from; null when it was made without one. */
async function toEvidence(scorer_id: string, version: number, signal: AbortSignal): Promise<Evidence | null> {
  try {
    return await get<Evidence>(`${scorerPath(scorer_id)}/versions/${version}/validation`, { signal });
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

const SHOWN = 10;

export function EvidenceView({ scorer_id, version }: { scorer_id: string; version: number }) {
  const loaded = useLoaded(`evidence ${scorer_id} ${version}`, (signal) => toEvidence(scorer_id, version, signal));
  return (
    <Show loaded={loaded}>
      {(evidence) =>
        evidence === null ? (
          <p class="text-body-secondary">This version was made without a trial.</p>
        ) : (
          <>
            <p>
              {numberText(evidence.succeeded)} of {numberText(evidence.records)} records scored
              {evidence.failed > 0 && <span class="text-danger-emphasis">, {numberText(evidence.failed)} failed</span>}
              {evidence.not_applicable > 0 && <>, {numberText(evidence.not_applicable)} not applicable</>}, in{' '}
              {durationText(evidence.elapsed_ms * 1e6)}, <Time at={evidence.finished_at} />.
            </p>
            <Outputs outputs={evidence.outputs} />
          </>
        )
      }
    </Show>
  );
}

function Outputs({ outputs }: { outputs: Evidence['outputs'] }) {
  const hasPrinted = outputs.some(({ printed }) => printed);
  const hasMessages = outputs.some(({ message }) => message !== null);
  return (
    <>
      <Table class="table table-rows">
        <TableHeaders of={['Record', 'Score', ...(hasMessages ? ['What went wrong'] : []), ...(hasPrinted ? ['Printed'] : [])]} />
        <tbody>
          {outputs.slice(0, SHOWN).map(({ node_type, record_id, score, message, printed }, at) => (
            <tr key={record_id ?? at}>
              <td>{node_type}</td>
              <td>{valueText(score)}</td>
              {hasMessages && <td class="text-break">{clipped(message ?? '')}</td>}
              {hasPrinted && (
                <td>
                  <pre class="small mb-0 text-break">{printed}</pre>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </Table>
      {outputs.length > SHOWN && <p class="small text-body-secondary">and {outputs.length - SHOWN} more</p>}
    </>
  );
}
