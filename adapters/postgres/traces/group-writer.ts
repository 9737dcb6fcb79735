import type { Socket } from 'node:net';
import { AppError } from '../../../core/kernel/errors.ts';
import { FairBudget, type Hold } from '../../../core/kernel/fairness/fair-budget.ts';
import type { Log } from '../../../core/kernel/ports.ts';
import { NO_SELF_TRACER, type SelfTracer } from '../../../core/kernel/self-tracer.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import { mentionedSessions, type StoredSession } from '../../../core/traces/sessions/session.ts';
import type { RecordBatch, WriteOutcome } from '../../../core/traces/trace-store.ts';
import { isMissing, isSerializationConflict, isUnavailable, isUnstorable, unavailable } from '../database/database-failure.ts';
import { ColumnNotes } from './column-notes.ts';
import {
  FIND_IN_OTHER_TRACES,
  INCOMING_TYPE,
  MARK_PARENTS,
  WRITE_GROUP,
  WRITE_GROUP_OF_NEW,
  WRITE_GROUP_OF_NEW_WITH_SESSIONS,
  WRITE_GROUP_WITH_SESSIONS,
} from './record-statements.ts';
import { RowEncoder, toArray } from './row-encoder.ts';
import { WriterConnection, type WriterSql } from './writer-connection.ts';

export interface GroupWriterSettings {
  readonly lanes: number;
  /** A lane takes all that waits, up to about this much. */
  readonly maxGroupRows: number;
  readonly maxGroupBytes: number;
  /** Beyond this much waiting, requests are refused; of one project long before, see `FairBudget`. */
  readonly maxQueuedBytes: number;
  /** When no lane has ended its group for so long, nothing more is taken. */
  readonly stallMs: number;
  /** False: every request is committed by itself; for comparison. */
  readonly grouping: boolean;
}

export const GROUP_WRITER_SETTINGS: GroupWriterSettings = {
  lanes: 2,
  maxGroupRows: 1_000,
  maxGroupBytes: 8 * 1024 * 1024,
  maxQueuedBytes: 64 * 1024 * 1024,
  stallMs: 3_000,
  grouping: true,
};

/** Puts scoring jobs into the transaction of a lane. */
export type EnqueueWithin = (sql: WriterSql, jobs: readonly ScoringJob[]) => Promise<void>;

export interface GroupWriterDeps {
  readonly url: string;
  readonly log: Log;
  readonly enqueueWithin: EnqueueWithin;
  /** Where connections get their sockets from, for whoever wants to end them all. */
  readonly stream?: () => Socket;
  readonly selfTracer?: SelfTracer;
  readonly settings?: Partial<GroupWriterSettings>;
}

interface Waiting {
  readonly batch: RecordBatch;
  readonly rows: Buffer;
  readonly sessions: readonly StoredSession[];
  /** Its part of what may wait. */
  readonly hold: Hold;
  settle(outcome: WriteOutcome): void;
  fail(error: unknown): void;
}

const MAX_COLLISIONS = 5;
const TRACES_PER_JOB = 100;

/**
 * Commits requests in groups: a free lane takes whatever waits and writes it by one statement, so that many small
 * requests share one flush of the log. No timer: a lone request goes at once. A request is answered after its commit.
 * When a group cannot be written as a whole, its requests are written one by one, so a bad one fails alone.
 *
 * Admission control with a fair share for each project: however much one sends, the others' requests find room.
 */
export class GroupWriter {
  readonly #settings: GroupWriterSettings;
  readonly #enqueueWithin: EnqueueWithin;
  readonly #selfTracer: SelfTracer;
  readonly #idle: WriterConnection[];
  readonly #lanes: readonly WriterConnection[];
  readonly #queue: Waiting[] = [];
  /** When lanes that are busy began with their group. */
  readonly #begun = new Map<WriterConnection, number>();
  /** Record ids in groups under way: a request that shares one waits, so that two lanes never race for a record. */
  readonly #busyIds = new Set<string>();
  readonly #encoder = new RowEncoder();
  readonly #budget: FairBudget;
  /** Also for who changes records on other connections. */
  readonly columns = new ColumnNotes();
  #queuedBytes = 0;

  constructor(deps: GroupWriterDeps) {
    this.#settings = { ...GROUP_WRITER_SETTINGS, ...deps.settings };
    this.#budget = new FairBudget(this.#settings.maxQueuedBytes);
    this.#enqueueWithin = deps.enqueueWithin;
    this.#selfTracer = deps.selfTracer ?? NO_SELF_TRACER;
    this.#lanes = Array.from({ length: this.#settings.lanes }, () => new WriterConnection(deps.url, deps.log, deps.stream));
    this.#idle = [...this.#lanes];
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** See `TraceStore.write`. */
  write(batch: RecordBatch): Promise<WriteOutcome> {
    const rows = this.#encode(batch);
    if (this.#isStalled()) {
      const why = new Error('writing does not move on');
      this.refuseWaiting(why);
      throw unavailable(why);
    }
    const hold = this.#admit(batch.project_id, rows.length);
    const sessions = mentionedSessions(batch.records);
    return new Promise((settle, fail) => {
      this.#queue.push({ batch, rows, sessions, hold, settle, fail });
      this.#queuedBytes += rows.length;
      this.#dispatch();
    });
  }

  /** Refuses what has not been handed to the database yet: it would find out for itself, group by group. */
  refuseWaiting(why: Error): void {
    for (const waiting of this.#queue.splice(0)) {
      this.#release(waiting);
      waiting.fail(unavailable(why));
    }
  }

  /** More than half of what may wait counts as half: it is taken when nothing else waits, and leaves the others their half. */
  #admit(project_id: string, bytes: number): Hold {
    const hold = this.#budget.open([{ name: project_id, weight: 1 }]);
    if (!hold.grow(Math.min(bytes, Math.floor(this.#budget.total / 2)))) throw queueFull();
    return hold;
  }

  #release({ rows, hold }: Waiting): void {
    this.#queuedBytes -= rows.length;
    hold.release();
  }

  #isStalled(): boolean {
    const before = performance.now() - this.#settings.stallMs;
    return this.#idle.length === 0 && [...this.#begun.values()].every((at) => at < before);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  #encode({ records }: RecordBatch): Buffer {
    try {
      return this.#encoder.encode(records);
    } catch (error) {
      throw error instanceof RangeError ? unstorable(error) : error;
    }
  }

  #dispatch(): void {
    while (this.#idle.length > 0) {
      const group = this.#takeGroup();
      if (group.length === 0) return;
      const lane = this.#idle.pop()!;
      this.#begun.set(lane, performance.now());
      const ids = group.flatMap(({ batch }) => batch.records.map(({ id }) => id));
      for (const id of ids) this.#busyIds.add(id);
      void this.#settleGroup(lane, group).finally(() => {
        for (const id of ids) this.#busyIds.delete(id);
        for (const waiting of group) this.#release(waiting);
        this.#begun.delete(lane);
        this.#idle.push(lane);
        this.#dispatch();
      });
    }
  }

  /** In order of arrival; requests that share a record with this or another group under way stay behind. */
  #takeGroup(): Waiting[] {
    const { maxGroupRows, maxGroupBytes, grouping } = this.#settings;
    const group: Waiting[] = [];
    const ids = new Set<string>();
    let rows = 0;
    let bytes = 0;
    for (let at = 0; at < this.#queue.length; ) {
      const next = this.#queue[at]!;
      const full =
        group.length > 0 &&
        (!grouping || rows + next.batch.records.length > maxGroupRows || bytes + next.rows.length > maxGroupBytes);
      if (full) break;
      if (next.batch.records.some(({ id }) => ids.has(id) || this.#busyIds.has(id))) {
        for (const { id } of next.batch.records) ids.add(id);
        at += 1;
        continue;
      }
      for (const { id } of next.batch.records) ids.add(id);
      rows += next.batch.records.length;
      bytes += next.rows.length;
      group.push(next);
      this.#queue.splice(at, 1);
    }
    return group;
  }

  async #settleGroup(lane: WriterConnection, group: readonly Waiting[]): Promise<void> {
    try {
      const { problems, newTraces } = await this.#selfTracer.rootSpan('commit group', toFacts(group), () =>
        this.#commit(lane, group),
      );
      if (problems.length === 0) for (const { batch, settle } of group) settle(toOutcome(batch, newTraces));
      else if (group.length === 1) settleProblem(group[0]!, problems[0]!);
      else await this.#settleOneByOne(lane, group);
    } catch (error) {
      if (isUnavailable(error)) {
        lane.drop();
        for (const { fail } of group) fail(unavailable(error));
      } else if (group.length > 1) await this.#settleOneByOne(lane, group);
      else group[0]!.fail(await getReason(lane, group[0]!.batch, error));
    }
  }

  async #settleOneByOne(lane: WriterConnection, group: readonly Waiting[]): Promise<void> {
    for (const waiting of group) await this.#settleGroup(lane, [waiting]);
  }

  /** Problems keep the group from being written; none means that it is committed. */
  async #commit(lane: WriterConnection, group: readonly Waiting[]): Promise<GroupOutcome> {
    const jobs = getJobs(group);
    const parents = group.filter(({ batch }) => batch.new_parents.length > 0);
    const columns = this.columns.unknownIn(group.flatMap(({ batch }) => batch.records));
    for (let collisions = 0; ; collisions += 1) {
      try {
        if (jobs.length === 0 && parents.length === 0 && columns.length === 0) return await writeGroup(lane, group);
        const { outcome } = await lane.transaction(async () => {
          const written = await writeGroup(lane, group);
          if (written.problems.length > 0) return { keep: false, outcome: written };
          for (const { batch } of parents)
            await lane.executeSql(MARK_PARENTS, [batch.project_id, batch.run_id, batch.new_parents]);
          if (jobs.length > 0) await this.#enqueueWithin(lane, jobs);
          await this.columns.write(lane, columns);
          return { keep: true, outcome: written };
        });
        if (outcome.problems.length === 0) this.columns.remember(columns);
        return outcome;
      } catch (error) {
        if (!isSerializationConflict(error) || collisions >= MAX_COLLISIONS) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** collisions));
      }
    }
  }
}

const toFacts = (group: readonly Waiting[]) => ({
  requests: group.length,
  rows: group.reduce((sum, { batch }) => sum + batch.records.length, 0),
  bytes: group.reduce((sum, { rows }) => sum + rows.length, 0),
});

interface Problem {
  readonly problem: 'run_not_found' | 'run_changed';
}

interface NewTrace {
  readonly problem: null;
  readonly project_id: string;
  readonly run_id: string;
  readonly new_trace_id: string;
}

interface GroupOutcome {
  readonly problems: readonly Problem[];
  /** Those that were not there before, of batches that ask. */
  readonly newTraces: ReadonlySet<string>;
}

const toTraceKey = (project_id: string, run_id: string, id: string): string => `${project_id} ${run_id} ${id}`;

const toOutcome = ({ project_id, run_id, new_trace_ids = [] }: RecordBatch, newTraces: ReadonlySet<string>): WriteOutcome =>
  new_trace_ids.every((id) => newTraces.has(toTraceKey(project_id, run_id, id))) ? 'written' : 'written_over';

async function writeGroup(lane: WriterConnection, group: readonly Waiting[]): Promise<GroupOutcome> {
  const type = await lane.parseOid(INCOMING_TYPE);
  const length = group.reduce((sum, { batch }) => sum + batch.records.length, 0);
  const elements = group.map(({ rows }) => rows);
  const planned = group.map(({ batch }, request) => ({
    request,
    project_id: batch.project_id,
    run_id: batch.run_id,
    settings_revision: batch.settings_revision,
  }));
  const values = [toArray(type, length, elements), JSON.stringify(planned)];
  const sessions = group.flatMap((waiting) => waiting.sessions);
  const asks = group.some(({ batch }) => (batch.new_trace_ids?.length ?? 0) > 0);
  const rows = (await (sessions.length === 0
    ? lane.executeNamed(asks ? 'write_group_of_new' : 'write_group', asks ? WRITE_GROUP_OF_NEW : WRITE_GROUP, values)
    : lane.executeNamed(
        asks ? 'write_group_of_new_with_sessions' : 'write_group_with_sessions',
        asks ? WRITE_GROUP_OF_NEW_WITH_SESSIONS : WRITE_GROUP_WITH_SESSIONS,
        [...values, sessionsJson(sessions)],
      ))) as unknown as (Problem | NewTrace)[];
  const news = rows.filter((row) => row.problem === null);
  return {
    problems: rows.filter((row) => row.problem !== null),
    newTraces: new Set(news.map(({ project_id, run_id, new_trace_id }) => toTraceKey(project_id, run_id, new_trace_id))),
  };
}

const sessionsJson = (sessions: readonly StoredSession[]): string =>
  JSON.stringify(sessions.map(({ project_id, run_id, id, created_at }) => ({ project_id, run_id, id, created_at })));

function settleProblem({ batch, settle, fail }: Waiting, { problem }: Problem): void {
  if (problem === 'run_changed') settle('run_changed');
  else fail(new AppError('not_found', 'run_not_found', `project ${batch.project_id} has no run ${batch.run_id}`));
}

/** Why a request that was written by itself could not be. */
async function getReason(lane: WriterConnection, batch: RecordBatch, error: unknown): Promise<unknown> {
  if (isUnstorable(error)) return unstorable(error);
  if (!isMissing(error, 'trace_id')) return error;
  const ids = batch.records.map(({ id }) => id);
  const traces = batch.records.map(({ trace_id }) => trace_id);
  const values = [batch.project_id, batch.run_id, ids, traces];
  const found = await lane.executeSql(FIND_IN_OTHER_TRACES, values).catch(unavailable);
  return found instanceof AppError ? found : inOtherTrace(found.rows[0]?.id, error);
}

/** One job per run and hundred traces, whatever requests they came by. */
function getJobs(group: readonly Waiting[]): ScoringJob[] {
  const runs = new Map<string, { project_id: string; run_id: string; trace_ids: Set<string> }>();
  for (const { batch } of group) {
    const key = `${batch.project_id} ${batch.run_id}`;
    const run = runs.get(key) ?? { project_id: batch.project_id, run_id: batch.run_id, trace_ids: new Set<string>() };
    for (const id of batch.score_trace_ids) run.trace_ids.add(id);
    if (run.trace_ids.size > 0) runs.set(key, run);
  }
  return [...runs.values()].flatMap(({ trace_ids, ...run }) => {
    const ids = [...trace_ids];
    const parts = Math.ceil(ids.length / TRACES_PER_JOB);
    return Array.from({ length: parts }, (_, part) => ({
      ...run,
      trace_ids: ids.slice(part * TRACES_PER_JOB, (part + 1) * TRACES_PER_JOB),
    }));
  });
}

const queueFull = (): AppError =>
  new AppError('unavailable', 'write_queue_full', 'too much is waiting to be written', { retryAfterSeconds: 1 });

const inOtherTrace = (id: unknown, cause: unknown): AppError => {
  const msg = `record ${id} is stored under another trace`;
  return new AppError('invalid', 'record_in_other_trace', msg, {
    cause,
    issues: [{ loc: ['body'], msg, type: 'record_in_other_trace' }],
  });
};

const unstorable = (cause: unknown): AppError => {
  const msg = 'a value cannot be stored';
  return new AppError('invalid', 'record_unstorable', msg, {
    cause,
    issues: [{ loc: ['body'], msg, type: 'record_unstorable' }],
  });
};
