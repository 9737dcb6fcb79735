import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { Transactions } from '../../kernel/ports.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { type BookmarkFilterDeps, withBookmarks } from '../read/bookmark-filter.ts';
import type { RecordKey, RecordScan } from '../read/record-scan.ts';
import { type RecordCount, type RecordSelection, toRecordCondition } from '../record-query.ts';
import { addRemovalCounts, NOTHING_REMOVED, type RecordRemoval, type RemovalCounts, withDescendants } from './record-removal.ts';

export interface RecordRemovalDeps extends BookmarkFilterDeps {
  readonly recordScan: RecordScan;
  readonly recordRemoval: RecordRemoval;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
}

const TRACES_AT_ONCE = 200;
/** The traces of these spans are looked through for what is below them. */
const SPANS_AT_ONCE = 100;

export type RemovalReply = RemovalCounts & { readonly message: string };

/** Deleting traces and spans. */
export class RecordRemovalService {
  readonly #deps: RecordRemovalDeps;

  constructor(deps: RecordRemovalDeps) {
    this.#deps = deps;
  }

  /** Removes what is there when the walk begins; without conditions, all of it. */
  async remove(caller: Caller, project_id: string, level: 'trace' | 'span', body: RecordCount): Promise<RemovalReply> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'delete_data');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    const where = toRecordCondition(await withBookmarks(this.#deps, caller, project_id, run_id, body));
    const selection: RecordSelection = { project_id, run_id, level, where };
    let counts = NOTHING_REMOVED;
    const note = (stage: string): Promise<void> => this.#note(caller, selection, stage, counts);
    // Noted before anything is gone: a process that dies on the way leaves a line that says what it was doing.
    await note('begun');
    try {
      for await (const keys of this.#deps.recordScan.keys(selection, level === 'trace' ? TRACES_AT_ONCE : SPANS_AT_ONCE)) {
        counts = addRemovalCounts(
          counts,
          level === 'trace' ? await this.#removeTraces(selection, keys) : await this.#removeSpans(selection, keys),
        );
      }
    } catch (error) {
      await note('stopped').catch(() => {});
      throw error;
    }
    await note('done');
    return { message: `removed ${counts.traces} traces, ${counts.spans} spans and ${counts.sessions} sessions`, ...counts };
  }

  #removeTraces({ project_id, run_id }: RecordSelection, keys: readonly RecordKey[]): Promise<RemovalCounts> {
    const ids = keys.map(({ id }) => id);
    return this.#deps.recordRemoval.removeTraces(project_id, run_id, ids);
  }

  async #removeSpans({ project_id, run_id }: RecordSelection, keys: readonly RecordKey[]): Promise<RemovalCounts> {
    const traces = [...new Set(keys.map(({ trace_id }) => trace_id))];
    const outlines = await this.#deps.recordScan.outlines(project_id, run_id, traces);
    const ids = keys.map(({ id }) => id);
    return this.#deps.recordRemoval.removeSpans(project_id, run_id, withDescendants(ids, outlines));
  }

  #note(caller: Caller, { project_id, run_id, level }: RecordSelection, stage: string, counts: RemovalCounts): Promise<void> {
    const event = { action: 'records.delete', object_kind: 'project', object_id: project_id };
    return this.#deps.transactions.run(() =>
      this.#deps.auditTrail.note(caller, { ...event, details: { run_id, level, stage, ...counts } }),
    );
  }
}
