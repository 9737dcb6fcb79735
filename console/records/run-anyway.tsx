import type { FieldIssue } from '../api/failure.ts';
import { ApiFailure } from '../api/failure.ts';
import { numberText } from '../kit/formatting.ts';

interface Cost {
  readonly estimated_rows: number;
  readonly max_rows: number;
}

/** The estimate that a query was refused with; undefined for any other failure. */
export function findCost(error: unknown): Cost | undefined {
  if (!(error instanceof ApiFailure) || error.code !== 'query_too_expensive') return undefined;
  return (error.issues[0] as (FieldIssue & { readonly ctx?: Cost }) | undefined)?.ctx;
}

/** Tells what a query would cost that was refused for it, and runs it all the same on request. */
export function RunAnyway({ cost, onRun }: { cost: Cost; onRun: () => void }) {
  return (
    <div class="alert alert-warning py-2 d-flex gap-2 align-items-start" role="alert">
      <div class="me-auto">
        About {numberText(cost.estimated_rows)} records would have to be looked at, more than the {numberText(cost.max_rows)} that
        one query may. Narrow the time range, or filter by a trace, a session, whole words or a score.
      </div>
      <button type="button" class="btn btn-sm btn-outline-secondary text-nowrap" onClick={onRun}>
        Run anyway
      </button>
    </div>
  );
}
