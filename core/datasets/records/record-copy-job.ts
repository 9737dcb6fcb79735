import type { JobRecord } from '../../jobs/job.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handler.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { RecordScan } from '../../traces/read/record-scan.ts';
import { CopyPlan } from './record-copy.ts';
import { RECORD_COPY } from './record-copy-service.ts';
import type { AddedRows, RecordRowWriter } from './record-row-writer.ts';
import type { SessionRows } from './session-rows.ts';

export interface RecordCopyJobDeps {
  readonly recordRowWriter: RecordRowWriter;
  readonly recordScan: RecordScan;
  readonly sessionRows: SessionRows;
}

const KEYS_AT_ONCE = 500;

/** Adds the records that match to a dataset, all as one version. */
export class RecordCopyJob implements JobHandler {
  readonly job_name = RECORD_COPY;
  readonly #deps: RecordCopyJobDeps;

  constructor(deps: RecordCopyJobDeps) {
    this.#deps = deps;
  }

  /** The rows and the state that says so are written together: a second attempt adds nothing twice. */
  async run(job: JobRecord, context: JobContext, signal: AbortSignal): Promise<JsonValue> {
    if (job.state !== null) return job.state;
    const plan = CopyPlan.parse(job.request_data);
    const { dataset_id, run_id, record_type: level, columns, once_per_record: once } = plan;
    const rows = { dataset_id, project_id: job.project_id!, run_id, level, columns, once, user_id: job.created_by };
    const ids = await this.#find(plan, job.project_id!, signal);
    const { added, version_index } = await this.#deps.recordRowWriter.add(rows, ids, (result) =>
      context.report({ steps_completed: 1, steps_total: 1, message: toMessage(result), state: { ...result } }),
    );
    return { added, version_index };
  }

  async #find(plan: CopyPlan, project_id: string, signal: AbortSignal): Promise<string[]> {
    const { record_type: level, max_records, once_per_record, dataset_id } = plan;
    const found: string[] = [];
    for await (const ids of this.#ids(plan, project_id)) {
      signal.throwIfAborted();
      const rows = { dataset_id, project_id, level };
      found.push(...(once_per_record ? await this.#deps.recordRowWriter.findNew(rows, ids) : ids));
      if (found.length >= max_records) break;
    }
    return found.slice(0, max_records);
  }

  async *#ids({ run_id, record_type: level, where }: CopyPlan, project_id: string): AsyncIterable<readonly string[]> {
    if (level === 'session') {
      yield* this.#deps.sessionRows.ids({ project_id, run_id, where });
      return;
    }
    for await (const keys of this.#deps.recordScan.keys({ project_id, run_id, level, where }, KEYS_AT_ONCE))
      yield keys.map(({ id }) => id);
  }
}

const toMessage = ({ added }: AddedRows): string => `${added} ${added === 1 ? 'row' : 'rows'} added`;
