import type { AccessStore } from '../access/access-store.ts';
import type { Caller } from '../access/caller.ts';
import { toUserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { findOrInsert } from './find-or-insert.ts';
import type { LogStream, LogStreamSearch, LogStreamUpdate, NewLogStream } from './log-stream.ts';
import { insertLogStream, logStreamEvent, type NewLogStreamDeps } from './new-log-stream.ts';
import { NEWEST_RUNS_FIRST, type Run } from './run.ts';
import type { RunRecords } from './run-records.ts';

export interface LogStreamDeps extends NewLogStreamDeps {
  readonly accessStore: AccessStore;
  readonly runRecords: RunRecords;
}

export type LogStreamPage = PageFields & { log_streams: LogStream[] };

const KIND = 'log_stream';

/** Where an application logs its traces. */
export class LogStreamService {
  readonly #deps: LogStreamDeps;

  constructor(deps: LogStreamDeps) {
    this.#deps = deps;
  }

  /** Returns the log stream that exists already when the project has one of this name. */
  async createLogStream(caller: Caller, project_id: string, { name }: NewLogStream): Promise<LogStream> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const run = await findOrInsert(
      () => this.#deps.projectStore.findRunByName(project_id, KIND, name),
      () => insertLogStream(this.#deps, caller, project_id, name),
    );
    return this.#one(run);
  }

  /** All of them, however many: clients scan the list for a name. */
  async listLogStreams(caller: Caller, project_id: string, include_counts: boolean): Promise<LogStream[]> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const runs = await this.#deps.projectStore.listRuns(project_id, KIND, [], NEWEST_RUNS_FIRST);
    return this.#shown(project_id, runs, include_counts);
  }

  listLogStreamPage(caller: Caller, project_id: string, page: PageRequest, include_counts: boolean): Promise<LogStreamPage> {
    return this.searchLogStreams(caller, project_id, { ...page, filters: [], sort: NEWEST_RUNS_FIRST, include_counts });
  }

  async searchLogStreams(caller: Caller, project_id: string, search: LogStreamSearch): Promise<LogStreamPage> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { filters, sort, include_counts } = search;
    const runs = await this.#deps.projectStore.listRuns(project_id, KIND, filters, sort, sliceFor(search));
    const { items, page } = toPage(runs, search);
    return { ...page, log_streams: await this.#shown(project_id, items, include_counts) };
  }

  async getLogStream(caller: Caller, project_id: string, id: string): Promise<LogStream> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const run = await this.#deps.projectStore.findRun(project_id, KIND, id);
    if (!run) throw logStreamNotFound(id);
    return this.#one(run);
  }

  async updateLogStream(caller: Caller, project_id: string, id: string, { name }: LogStreamUpdate): Promise<LogStream> {
    const { projectStore, authorizer, auditTrail, transactions } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'rename_run');
    const run = await transactions.run(async () => {
      const renamed = await projectStore.updateRun(project_id, KIND, id, { name, updated_at: this.#now() });
      if (!renamed) throw logStreamNotFound(id);
      await auditTrail.note(caller, logStreamEvent('rename', project_id, { log_stream_id: id, name }));
      return renamed;
    });
    return this.#one(run);
  }

  /** The log stream goes first and its records last, for the reason given at `ProjectService.deleteProject`. */
  async deleteLogStream(caller: Caller, project_id: string, id: string): Promise<void> {
    const { projectStore, runRecords, authorizer, auditTrail, transactions } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'delete_run');
    await transactions.run(async () => {
      if (!(await projectStore.removeRun(project_id, KIND, id))) throw logStreamNotFound(id);
      await runRecords.removeAll(project_id, id);
      await auditTrail.note(caller, logStreamEvent('delete', project_id, { log_stream_id: id }));
    });
  }

  async #one(run: Run): Promise<LogStream> {
    const [shown] = await this.#shown(run.project_id, [run], false);
    return shown!;
  }

  async #shown(project_id: string, runs: readonly Run[], include_counts: boolean): Promise<LogStream[]> {
    const creators = await this.#getCreators(runs);
    const ids = runs.map(({ id }) => id);
    const counts = include_counts ? await this.#deps.runRecords.counts(project_id, ids) : undefined;
    return runs.map(({ kind: _kind, ...run }) => ({
      ...run,
      created_by_user: creators.get(run.created_by ?? '') ?? null,
      num_spans: counts ? (counts.get(run.id)?.num_spans ?? 0) : null,
      num_traces: counts ? (counts.get(run.id)?.num_traces ?? 0) : null,
    }));
  }

  async #getCreators(runs: readonly Run[]) {
    const ids = new Set(runs.map(({ created_by }) => created_by).filter((id) => id !== null));
    const users = ids.size > 0 ? await this.#deps.accessStore.listUsers([...ids]) : [];
    return new Map(users.map((user) => [user.id, toUserSummary(user)]));
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}

const logStreamNotFound = (id: string): AppError =>
  new AppError('not_found', 'log_stream_not_found', `log stream ${id} does not exist`);
