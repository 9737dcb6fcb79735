import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { RecordSelection } from '../record-query.ts';
import { type Allowance, type QueryEstimate, toEstimate, tooExpensive } from './query-cost.ts';
import type { RecordEstimates } from './record-estimates.ts';

export interface GuardDeps {
  readonly recordEstimates: RecordEstimates;
  readonly authorizer: Authorizer;
  /** Records that one query may look at; 0: any number. */
  readonly maxQueryRows: number;
}

/** Reading of records that is about to begin. */
export interface PlannedQuery {
  readonly selection: RecordSelection;
  /** How many times the records are gone through; 1 where it is absent. */
  readonly passes?: number;
  /** Records that are looked at at most, where that is known without asking. */
  readonly atMost?: number;
}

/** A bound for all queries of one request together. */
export interface QueryBudget {
  /** Whether a query of so many passes fits into what is left, which it then takes. */
  take(selection: RecordSelection, passes: number): Promise<boolean>;
}

/** Refuses queries that would look at more records than is good for all who share the database. */
export class QueryGuard {
  readonly #deps: GuardDeps;

  constructor({ recordEstimates, authorizer, maxQueryRows }: GuardDeps) {
    this.#deps = { recordEstimates, authorizer, maxQueryRows };
  }

  /**
   * Returns the estimate where that is all that was asked for, and undefined when the query may begin. Throws AppError
   * `query_too_expensive`; with `allow_expensive`, `forbidden` to whoever may not change the project. Nothing is estimated for a query
   * that is known to be cheap.
   */
  async admit(caller: Caller, query: PlannedQuery, { explain, allow_expensive }: Allowance): Promise<QueryEstimate | undefined> {
    const { selection, passes = 1, atMost = Number.POSITIVE_INFINITY } = query;
    const bound = this.#deps.maxQueryRows === 0 ? Number.POSITIVE_INFINITY : this.#deps.maxQueryRows;
    if (!explain && (atMost <= bound || bound === Number.POSITIVE_INFINITY)) return undefined;
    const enough = explain ? 0 : Math.floor(bound / passes);
    const rows = passes * (await this.#deps.recordEstimates.estimate(selection, enough));
    const estimate = toEstimate(Math.min(rows, atMost), bound);
    if (explain) return estimate;
    if (!estimate.is_refused) return undefined;
    if (!allow_expensive) throw tooExpensive(estimate);
    await this.#deps.authorizer.authorize(caller, 'project', selection.project_id, 'update');
    return undefined;
  }

  /** For a request of several queries: they look at `most` records together, and never at more than one query may. */
  openBudget(most: number): QueryBudget {
    const { recordEstimates, maxQueryRows } = this.#deps;
    let left = maxQueryRows === 0 ? most : Math.min(most, maxQueryRows);
    return {
      take: async (selection, passes) => {
        const rows = passes * (await recordEstimates.estimate(selection, Math.floor(left / passes)));
        if (rows > left) return false;
        left -= rows;
        return true;
      },
    };
  }
}
