import type { BacklogOfRun, ScoringBacklog } from '../../../core/scorers/scoring/scoring-backlog.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

export interface PostgresScoringBacklogDeps {
  readonly session: PostgresSession;
  /** Of scoring jobs, in pg-boss. */
  readonly queueNames: readonly string[];
}

/** Deleted rather than cancelled: a cancelled job would be kept, and nobody asks for it. `$1` queues, `$2` project. */
const REMOVE_OF_PROJECT = `delete from pgboss.job where name = any($1) and group_id = $2 and state < 'active'`;

/**
 * `$1` queues, `$2` runs. Both halves go by an index, whatever the planner thinks of how many there are: `offset 0` and the array
 * keep it from joining all jobs. The state is asked for twice, since a worker may take a job in between.
 */
const REMOVE_OF_RUNS = `
delete from pgboss.job where name = any($1) and state < 'active' and id = any(array(
  select queued.id
  from jsonb_to_recordset($2) as run(project_id text, run_id text, scorer_ids jsonb) cross join lateral (
    select id from pgboss.job
    where name = any($1) and state < 'active' and group_id = run.project_id and data ->> 'run_id' = run.run_id
      and (run.scorer_ids is null or data -> 'scorer_ids' <@ run.scorer_ids) offset 0
  ) queued
))`;

/** Removes jobs from the tables of pg-boss, which has no operation for this, by the index that `PgBossQueues.start` adds to them. */
export class PostgresScoringBacklog implements ScoringBacklog {
  readonly #session: PostgresSession;
  readonly #queueNames: readonly string[];

  constructor({ session, queueNames }: PostgresScoringBacklogDeps) {
    this.#session = session;
    this.#queueNames = queueNames;
  }

  async removeOfProject(project_id: string): Promise<void> {
    await this.#session.sql(REMOVE_OF_PROJECT, [this.#queueNames, project_id]);
  }

  async removeOfRuns(runs: readonly BacklogOfRun[]): Promise<void> {
    if (runs.length > 0) await this.#session.sql(REMOVE_OF_RUNS, [this.#queueNames, JSON.stringify(runs)]);
  }
}
