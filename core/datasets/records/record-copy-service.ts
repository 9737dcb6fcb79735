import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { type Job, jobView } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { type BookmarkFilterDeps, withBookmarks } from '../../traces/read/bookmark-filter.ts';
import { toRecordCondition } from '../../traces/record-query.ts';
import { toSessionCondition } from '../../traces/sessions/session-column.ts';
import type { CopyPlan, RecordCopy } from './record-copy.ts';

export interface RecordCopyDeps extends BookmarkFilterDeps {
  readonly jobs: Jobs;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
}

export const RECORD_COPY = 'records_to_dataset';

/** Starts copies of records into datasets. */
export class RecordCopyService {
  readonly #deps: RecordCopyDeps;

  constructor(deps: RecordCopyDeps) {
    this.#deps = deps;
  }

  /** Requires read access to the records: whoever sees the dataset will see them. While the same copy is under way, none is started. */
  async start(caller: Caller, dataset_id: string, wanted: RecordCopy): Promise<{ job: Job }> {
    const { authorizer, runDirectory, jobs } = this.#deps;
    const { project_id, record_type, columns = null, max_records, once_per_record } = wanted;
    await authorizer.authorize(caller, 'dataset', dataset_id, 'update');
    await authorizer.authorize(caller, 'project', project_id, 'export_data');
    const { run_id } = await knownRun(runDirectory, project_id, wanted);
    const asked = await withBookmarks(this.#deps, caller, project_id, run_id, wanted);
    const where = record_type === 'session' ? toSessionCondition(asked) : toRecordCondition(asked);
    const plan: CopyPlan = { dataset_id, run_id, record_type, where, columns, max_records, once_per_record };
    const facts = { job_name: RECORD_COPY, project_id, run_id, created_by: caller.user_id };
    return { job: jobView(await jobs.startOnce({ ...facts, request_data: plan, steps_total: 1 })) };
  }
}
