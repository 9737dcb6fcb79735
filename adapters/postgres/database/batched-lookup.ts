import { toPlainArray } from './array-text.ts';
import { BatchedStatement } from './batched-statement.ts';
import type { PostgresSession } from './postgres-session.ts';

/** Ids of a run, of its records or spans. */
interface Question {
  readonly project_id: string;
  readonly run_id: string;
  readonly ids: readonly string[];
}

type Found<Row> = Row & { readonly request: number };

/** Questions of one statement: each may be about a thousand ids. */
const AT_ONCE = 32;

/**
 * Lookup by ids of runs, for all requests that ask at once: where each brings a few records, a statement of its own costs more than
 * writing them.
 */
export class BatchedLookup<Row extends object> {
  readonly #session: PostgresSession;
  readonly #statement: string;
  readonly #asking = new BatchedStatement((questions: readonly Question[]) => this.#run(questions), {
    maxAtOnce: AT_ONCE,
    lanes: 2,
  });

  /** `lookup`: a query for one id, `wanted.id`, of the run `wanted.run_id` in `wanted.project_id`. */
  constructor(session: PostgresSession, lookup: string) {
    this.#session = session;
    // Looked up one by one, as `offset 0` has it: on a table without statistics a join looks as if it held for most rows.
    this.#statement = `
select wanted.request, found.* from (
  select id, request, ($1::uuid[])[request] as project_id, ($2::uuid[])[request] as run_id
  from unnest($3::uuid[], $4::integer[]) as given(id, request)
) wanted cross join lateral (${lookup} offset 0) found`;
  }

  find(project_id: string, run_id: string, ids: readonly string[]): Promise<readonly Row[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const question = { project_id, run_id, ids };
    return this.#session.isInTransaction ? this.#run([question]).then(([rows]) => rows!) : this.#asking.ask(question);
  }

  async #run(questions: readonly Question[]): Promise<Row[][]> {
    const rows = await this.#session.sql<Found<Row>>(this.#statement, [
      toPlainArray(questions.map(({ project_id }) => project_id)),
      toPlainArray(questions.map(({ run_id }) => run_id)),
      toPlainArray(questions.flatMap(({ ids }) => ids)),
      toPlainArray(questions.flatMap(({ ids }, at) => ids.map(() => at + 1))),
    ]);
    const found = questions.map((): Row[] => []);
    for (const { request, ...row } of rows) found[request - 1]!.push(row as unknown as Row);
    return found;
  }
}
