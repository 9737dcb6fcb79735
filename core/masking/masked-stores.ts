import type { Comment } from '../comments/comment.ts';
import type { CommentStore } from '../comments/comment-store.ts';
import type { DatasetContentStore } from '../datasets/dataset-content-store.ts';
import type { DatasetStore } from '../datasets/dataset-store.ts';
import { decorate } from '../kernel/decorate.ts';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { runAtOnce, type Steps } from '../kernel/slices.ts';
import type { SpanLog } from '../otel/logs/span-log.ts';
import type { SpanLogStore } from '../otel/logs/span-log-store.ts';
import { DIMENSION_NAMES } from '../otel/metrics/kept-metrics.ts';
import type { MetricSeries } from '../otel/metrics/metric-series.ts';
import type { MetricSeriesStore } from '../otel/metrics/metric-series-store.ts';
import type { RatingStore } from '../ratings/rating-store.ts';
import type { LogRecord } from '../traces/record.ts';
import type { StoredSession } from '../traces/sessions/session.ts';
import type { SessionStore } from '../traces/sessions/session-store.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import { maskRecord } from './masked-record.ts';
import type { Masker, Tally } from './masker.ts';
import type { ProjectMasking } from './project-masking.ts';

/*
 * Decorators of the stores that take what is sent to a project: nothing gets by them, whatever the route, so what is
 * indexed, judged, exported and backed up afterwards is masked too.
 */

/** Masks by the rules of a project, and counts what was masked once `store` has taken it. */
async function masked<T, R>(
  masking: ProjectMasking,
  project_id: string,
  value: T,
  mask: (value: T, masker: Masker, tally: Tally) => Steps<T>,
  store: (value: T) => Promise<R>,
  isStored: (result: R) => boolean = () => true,
): Promise<R> {
  const masker = await masking.maskerFor(project_id);
  if (!masker) return store(value);
  const tally: Tally = new Map();
  const result = await store(await masking.inTurns(mask(value, masker, tally)));
  if (isStored(result)) await masking.count(project_id, tally);
  return result;
}

export const maskedTraceStore = (store: TraceStore, masking: ProjectMasking): TraceStore =>
  decorate(store, {
    write: (batch) =>
      masked(
        masking,
        batch.project_id,
        batch.records,
        maskRecords,
        (records) => store.write(records === batch.records ? batch : { ...batch, records }),
        (outcome) => outcome !== 'run_changed',
      ),
    amend: async (project_id, run_id, id, change, score) => {
      const masker = await masking.maskerFor(project_id);
      if (!masker) return store.amend(project_id, run_id, id, change, score);
      let tally: Tally = new Map();
      const changeMasked = (record: LogRecord): LogRecord => {
        tally = new Map();
        return runAtOnce(maskRecord(change(record), masker, tally));
      };
      const amended = await store.amend(project_id, run_id, id, changeMasked, score);
      if (amended) await masking.count(project_id, tally);
      return amended;
    },
    amendAll: async (project_id, run_id, ids, change, score) => {
      const masker = await masking.maskerFor(project_id);
      if (!masker) return store.amendAll(project_id, run_id, ids, change, score);
      // Of each record that of the last change counts: it may be asked for again.
      const tallies = new Map<string, Tally>();
      const changeMasked = (record: LogRecord): LogRecord | undefined => {
        const changed = change(record);
        const tally: Tally = new Map();
        tallies.set(record.id, tally);
        return changed && runAtOnce(maskRecord(changed, masker, tally));
      };
      const amended = await store.amendAll(project_id, run_id, ids, changeMasked, score);
      for (const { id } of amended) await masking.count(project_id, tallies.get(id)!);
      return amended;
    },
  });

export const maskedSpanLogStore = (store: SpanLogStore, masking: ProjectMasking): SpanLogStore =>
  decorate(store, {
    insert: (project_id, run_id, logs, received_at) =>
      masked(masking, project_id, logs, maskLogs, (own) => store.insert(project_id, run_id, own, received_at)),
  });

/** Values of attributes that tell series apart; what is masked counts where a series is new. */
export const maskedMetricSeriesStore = (store: MetricSeriesStore, masking: ProjectMasking): MetricSeriesStore =>
  decorate(store, {
    update: async (run, asked, change) => {
      const masker = await masking.maskerFor(run.project_id);
      if (!masker) return store.update(run, asked, change);
      let tally: Tally = new Map();
      await store.update(run, asked, (known) => {
        tally = new Map();
        const made = change(known);
        const tallyOf = ({ id }: MetricSeries): Tally => (known.series.has(id) ? new Map() : tally);
        return { ...made, series: made.series.map((one) => runAtOnce(maskSeries(one, masker, tallyOf(one)))) };
      });
      await masking.count(run.project_id, tally);
    },
  });

export const maskedSessionStore = (store: SessionStore, masking: ProjectMasking): SessionStore =>
  decorate(store, {
    findOrInsert: (session, is_user_created) =>
      masked(masking, session.project_id, session, maskSession, (own) => store.findOrInsert(own, is_user_created)),
    findByExternalId: async (project_id, run_id, external_id) => {
      const masker = await masking.maskerFor(project_id);
      const stored = masker ? await masking.inTurns(masker.id(external_id, new Map())) : external_id;
      return store.findByExternalId(project_id, run_id, stored);
    },
  });

export const maskedRatingStore = (store: RatingStore, masking: ProjectMasking): RatingStore =>
  decorate(store, {
    putFeedback: (feedback) => masked(masking, feedback.project_id, feedback, maskRating, (own) => store.putFeedback(own)),
    putAnnotation: (annotation) =>
      masked(masking, annotation.project_id, annotation, maskRating, (own) => store.putAnnotation(own)),
  });

export const maskedCommentStore = (store: CommentStore, masking: ProjectMasking): CommentStore =>
  decorate(store, {
    insert: (comment, most) =>
      masked(
        masking,
        comment.project_id,
        comment,
        maskComment,
        (own) => store.insert(own, most),
        (outcome) => outcome === 'kept',
      ),
    update: (project_id, id, changes) =>
      masked(
        masking,
        project_id,
        changes,
        maskComment,
        (own) => store.update(project_id, id, own),
        (changed) => changed !== undefined,
      ),
  });

/** Rows of a dataset are masked by the rules of every project that uses it. */
export const maskedDatasetContentStore = (
  store: DatasetContentStore,
  datasetStore: Pick<DatasetStore, 'listUses'>,
  masking: ProjectMasking,
): DatasetContentStore =>
  decorate(store, {
    insertRows: async (dataset_id, rows) => {
      const projects = new Set((await datasetStore.listUses([dataset_id])).map(({ project_id }) => project_id));
      let insert = (own: typeof rows): Promise<void> => store.insertRows(dataset_id, own);
      for (const project_id of projects) {
        const next = insert;
        insert = (own) => masked(masking, project_id, own, maskRows, next);
      }
      await insert(rows);
    },
  });

function* maskComment<T extends Pick<Comment, 'text'>>(comment: T, masker: Masker, tally: Tally): Steps<T> {
  const { text } = yield* masker.object({ text: comment.text }, tally);
  return { ...comment, text: text as string };
}

function* maskRecords(records: readonly LogRecord[], masker: Masker, tally: Tally): Steps<readonly LogRecord[]> {
  const made: LogRecord[] = [];
  for (const [at, record] of records.entries()) {
    if (at % RECORDS_AT_ONCE === RECORDS_AT_ONCE - 1) yield;
    made.push(yield* maskRecord(record, masker, tally));
  }
  return made.every((record, at) => record === records[at]) ? records : made;
}

/** Small ones are masked in less time than a turn for others takes. */
const RECORDS_AT_ONCE = 50;

/** With a new attribute or body its digest stays: that of what was sent, by which it is known when it is sent again. */
function* maskLogs(logs: readonly SpanLog[], masker: Masker, tally: Tally): Steps<readonly SpanLog[]> {
  const made: SpanLog[] = [];
  for (const log of logs) {
    const { name, scope, attributes, body } = log;
    const said = { name, scope, attributes, body } as JsonObject;
    const own = yield* masker.object(said, tally);
    made.push(own === said ? log : { ...log, ...(own as unknown as Pick<SpanLog, 'name' | 'scope' | 'attributes' | 'body'>) });
  }
  return made;
}

function* maskSeries(series: MetricSeries, masker: Masker, tally: Tally): Steps<MetricSeries> {
  const values = DIMENSION_NAMES.map((dimension) => series[dimension]);
  const masked: (string | null)[] = [];
  for (const value of values) masked.push(value === null ? null : yield* masker.text(value, tally));
  return { ...series, ...Object.fromEntries(DIMENSION_NAMES.map((dimension, at) => [dimension, masked[at]!])) };
}

function* maskSession(session: StoredSession, masker: Masker, tally: Tally): Steps<StoredSession> {
  const { name, external_id, user_metadata } = session;
  return {
    ...session,
    name: name === null ? null : yield* masker.text(name, tally),
    external_id: external_id === null ? null : yield* masker.id(external_id, tally),
    user_metadata: yield* masker.object(user_metadata, tally),
  };
}

function* maskRating<T extends { readonly value: unknown; readonly explanation: string | null }>(
  rating: T,
  masker: Masker,
  tally: Tally,
): Steps<T> {
  const value = yield* masker.value(rating.value as JsonValue, tally);
  const explanation = rating.explanation === null ? null : yield* masker.text(rating.explanation, tally);
  return { ...rating, value, explanation };
}

function* maskRows<T extends { readonly cells: object }>(rows: readonly T[], masker: Masker, tally: Tally): Steps<readonly T[]> {
  const made: T[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % RECORDS_AT_ONCE === RECORDS_AT_ONCE - 1) yield;
    made.push({ ...row, cells: yield* masker.object(row.cells as JsonObject, tally) });
  }
  return made;
}
