import type { RunContext, RunDirectory } from '../../../core/projects/run-context.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

const FIND = `
select p.id as project_id, p.name as project_name, r.id as run_id, r.kind, r.settings_revision,
  jsonb_array_length(r.metric_settings -> 'scorers') > 0 as has_scorers
from runs r join projects p on p.id = r.project_id
where r.project_id = $1 and r.id = $2`;

/** Long enough to spare a busy stream the question, short enough that a renamed project is soon named right. */
const BELIEVED_MS = 1_000;
const MAX_BELIEVED = 10_000;

/**
 * Runs by id, remembered for a moment. What depends on being right is checked again when records are written: a batch
 * planned against old settings, or for a run that is gone, is refused there and planned anew.
 */
export class PostgresRunDirectory implements RunDirectory {
  readonly #session: PostgresSession;
  readonly #believed = new Map<string, { readonly run: RunContext; readonly until: number }>();

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async findRun(project_id: string, run_id: string, fresh = false): Promise<RunContext | undefined> {
    const key = `${project_id} ${run_id}`;
    const believed = this.#believed.get(key);
    if (!fresh && believed && believed.until > performance.now()) return believed.run;
    const [run] = await this.#session.sql<RunContext>(FIND, [project_id, run_id]);
    this.#believed.delete(key);
    if (run) this.#believed.set(key, { run, until: performance.now() + BELIEVED_MS });
    if (this.#believed.size > MAX_BELIEVED) this.#believed.delete(this.#believed.keys().next().value!);
    return run;
  }
}
