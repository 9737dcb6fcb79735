import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import type { AnnotationTemplate } from '../ratings/annotation-template.ts';
import { recordNotFound } from '../ratings/rating.ts';
import type { RatingStore } from '../ratings/rating-store.ts';
import { type ScoredView, scoredViews, type ViewDeps } from '../traces/read/record-views.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import type { AnnotationAnswers, AnnotationQueue } from './annotation-queue.ts';
import type { AnnotationQueueStore } from './annotation-queue-store.ts';
import { refuseInvalidAnswers, requireQueue } from './queue-answers.ts';
import {
  type ItemStatus,
  isDisputed,
  itemNotFound,
  type QueueItem,
  refuseReserved,
  type StoredAssignment,
  toProgress,
} from './queue-item.ts';

export interface AnnotationTaskDeps extends ViewDeps {
  readonly annotationQueueStore: AnnotationQueueStore;
  readonly ratingStore: RatingStore;
  readonly traceStore: TraceStore;
  readonly authorizer: Authorizer;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

type Role = StoredAssignment['role'];

export interface Task {
  readonly record: ScoredView | null;
  readonly reserved_until: string | null;
  readonly templates: AnnotationTemplate[];
}

/** The work of annotators and reviewers at a queue: reserve a record, answer it or skip it, hand it back. */
export class AnnotationTaskService {
  readonly #deps: AnnotationTaskDeps;

  constructor(deps: AnnotationTaskDeps) {
    this.#deps = deps;
  }

  /**
   * Reserves the next record for the caller. Idempotent: until the record is answered, skipped or released, or its time is over and
   * somebody else has it, the same one is returned. Annotators are not shown what others said about it.
   */
  async next(caller: Caller, project_id: string, id: string, role: Role): Promise<Task> {
    const { annotationQueueStore, ratingStore, traceStore, clock } = this.#deps;
    const queue = await this.#authorized(caller, project_id, id, role);
    const templates = await ratingStore.listTemplates(project_id);
    const asked = templates.filter((template) => queue.template_ids.includes(template.id));
    for (;;) {
      const now = clock();
      const until = new Date(now.getTime() + queue.reservation_seconds * 1000).toISOString();
      const request = { annotator_id: caller.user_id, role, now: now.toISOString(), until };
      const reserved = await annotationQueueStore.reserve(project_id, id, request);
      if (!reserved) return { record: null, reserved_until: null, templates: asked };
      const { record_id, reserved_until } = reserved;
      const record = await traceStore.find(project_id, record_id, queue.run_id);
      const [view] = record ? await scoredViews(this.#deps, project_id, queue.run_id, [record]) : [];
      if (view) return { record: role === 'reviewer' ? view : toBlind(view, caller.user_id), reserved_until, templates: asked };
      // Removed between the two statements, or before items went with their records.
      await annotationQueueStore.removeItem(project_id, id, record_id);
    }
  }

  /** Hands a record back. Idempotent. */
  async release(caller: Caller, project_id: string, id: string, record_id: string): Promise<AnnotationQueue> {
    const { authorizer, annotationQueueStore } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'record_human_feedback');
    await requireQueue(annotationQueueStore, project_id, id);
    await annotationQueueStore.release(project_id, id, record_id, caller.user_id);
    return requireQueue(annotationQueueStore, project_id, id);
  }

  /**
   * The caller's answers on a record; none is stored unless all of them can be. Sent again before the record is complete they take
   * the place of the first ones. A reviewer's answers are decisions: they count instead of all others.
   */
  async answer(
    caller: Caller,
    project_id: string,
    id: string,
    role: Role,
    record_id: string,
    body: AnnotationAnswers,
  ): Promise<AnnotationQueue> {
    const { annotationQueueStore, ratingStore, transactions, clock } = this.#deps;
    const queue = await this.#authorized(caller, project_id, id, role);
    const templates = await ratingStore.listTemplates(project_id);
    if (!body.skip) refuseInvalidAnswers(templates, queue.template_ids, body);
    const now = clock().toISOString();
    await transactions.run(async () => {
      const item = await this.#lockOpen(queue, role, caller.user_id, record_id, now);
      if (!body.skip) await this.#store(queue, role, caller.user_id, record_id, body, now);
      const assignment = toAssignment(caller.user_id, role, body, now);
      await annotationQueueStore.putAssignment(project_id, id, record_id, assignment);
      const others = item.assignments.filter(({ annotator_id }) => annotator_id !== caller.user_id);
      const status = await this.#toStatus(queue, templates, record_id, [...others, assignment]);
      if (status !== item.status) await annotationQueueStore.setStatus(project_id, id, record_id, status);
    });
    return requireQueue(annotationQueueStore, project_id, id);
  }

  async #lockOpen(queue: AnnotationQueue, role: Role, by: string, record_id: string, now: string): Promise<QueueItem> {
    const item = await this.#deps.annotationQueueStore.lockItem(queue.project_id, queue.id, record_id);
    if (item?.status !== (role === 'reviewer' ? 'review' : 'pending')) throw itemNotFound(record_id);
    const own = item.assignments.find(({ annotator_id }) => annotator_id === by);
    if (role === 'reviewer' && own?.role === 'annotator' && own.status === 'answered')
      throw new AppError('forbidden', 'review_of_own_answer', 'who answered a record does not review it');
    refuseReserved(queue, item, role, by, now);
    return item;
  }

  async #store(
    { project_id, run_id }: AnnotationQueue,
    role: Role,
    annotator_id: string,
    record_id: string,
    { answers }: AnnotationAnswers,
    rated_at: string,
  ): Promise<void> {
    for (const { template_id, value, explanation = null } of answers) {
      const key = { project_id, run_id, record_id, template_id, annotator_id };
      const decision = role === 'reviewer' ? { is_decision: true as const } : {};
      if (!(await this.#deps.ratingStore.putAnnotation({ ...key, value, explanation, rated_at, ...decision })))
        throw recordNotFound(record_id);
    }
  }

  async #toStatus(
    queue: AnnotationQueue,
    templates: readonly AnnotationTemplate[],
    record_id: string,
    assignments: readonly StoredAssignment[],
  ): Promise<ItemStatus> {
    const decided = assignments.find(({ role, status }) => role === 'reviewer' && status !== 'reserved');
    if (decided) return decided.status === 'skipped' ? 'skipped' : 'done';
    const progress = toProgress(queue, assignments);
    if (progress !== 'answered') return progress;
    if (queue.review !== 'disagreement') return queue.review === 'all' ? 'review' : 'done';
    const raters = new Set(assignments.filter(({ status }) => status === 'answered').map(({ annotator_id }) => annotator_id));
    const { annotations } = await this.#deps.ratingStore.list(queue.project_id, queue.run_id, [record_id]);
    const asked = templates.filter(({ id }) => queue.template_ids.includes(id));
    const answers = annotations.filter(({ annotator_id }) => raters.has(annotator_id));
    return isDisputed(asked, answers) ? 'review' : 'done';
  }

  /** Who may annotate may work at a queue without assignees; one without reviewers is reviewed by who may configure feedback. */
  async #authorized(caller: Caller, project_id: string, id: string, role: Role): Promise<AnnotationQueue> {
    const { authorizer, annotationQueueStore } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'record_human_feedback');
    const queue = await requireQueue(annotationQueueStore, project_id, id);
    const named = role === 'reviewer' ? queue.reviewer_ids : queue.assignee_ids;
    if (named.length === 0 && role === 'reviewer')
      await authorizer.authorize(caller, 'project', project_id, 'configure_human_feedback');
    if (named.length > 0 && !named.includes(caller.user_id))
      throw new AppError(
        'forbidden',
        'annotator_not_assigned',
        `the queue has other ${role === 'reviewer' ? 'reviewers' : 'assignees'}`,
      );
    return queue;
  }
}

const toAssignment = (
  annotator_id: string,
  role: Role,
  { skip, skip_reason }: AnnotationAnswers,
  ended_at: string,
): StoredAssignment => ({
  annotator_id,
  role,
  status: skip ? 'skipped' : 'answered',
  reserved_until: null,
  skip_reason: skip ? (skip_reason ?? null) : null,
  ended_at,
});

/** The record without what others answered about it, which would sway the annotator. */
const toBlind = (view: ScoredView, annotator_id: string): ScoredView => ({
  ...view,
  annotations: Object.fromEntries(
    Object.entries(view.annotations).flatMap(([template_id, given]) => {
      const own = given[annotator_id];
      return own ? [[template_id, { [annotator_id]: own }]] : [];
    }),
  ),
  annotation_aggregates: {},
  annotation_truths: {},
});
