import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError, type Issue } from '../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { knownRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import { templateNotFound } from '../ratings/annotation-template.ts';
import type { RatingStore } from '../ratings/rating-store.ts';
import { scorerNotFound } from '../scorers/scorer.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import { toAgreementColumnId } from '../scores/agreement-column.ts';
import type { MetricSettingsStore } from '../scores/metric-settings-store.ts';
import type { RecordScan } from '../traces/read/record-scan.ts';
import { toRecordCondition } from '../traces/record-query.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import {
  type AnnotationQueue,
  type AnnotationQueueUpdate,
  type ChosenRecords,
  type NewAnnotationQueue,
  queueNotFound,
} from './annotation-queue.ts';
import type { AnnotationQueueStore, QueueChanges } from './annotation-queue-store.ts';
import { requireQueue } from './queue-answers.ts';

export interface AnnotationQueueDeps {
  readonly annotationQueueStore: AnnotationQueueStore;
  readonly ratingStore: RatingStore;
  readonly traceStore: TraceStore;
  readonly recordScan: RecordScan;
  readonly runDirectory: RunDirectory;
  readonly scorerStore: Pick<ScorerStore, 'find'>;
  readonly metricSettingsStore: Pick<MetricSettingsStore, 'find'>;
  readonly authorizer: Authorizer;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

const KEYS_AT_ONCE = 500;

/** Queues of records that are handed to annotators one by one: made, filled, changed, deleted. */
export class AnnotationQueueService {
  readonly #deps: AnnotationQueueDeps;

  constructor(deps: AnnotationQueueDeps) {
    this.#deps = deps;
  }

  async create(caller: Caller, project_id: string, wanted: NewAnnotationQueue): Promise<AnnotationQueue> {
    const { authorizer, runDirectory, annotationQueueStore, transactions, clock, newId } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'configure_human_feedback');
    const { run_id } = await knownRun(runDirectory, project_id, wanted);
    await this.#refuseUnknownTemplates(project_id, wanted.template_ids);
    await this.#refuseUnknownRecords(project_id, run_id, wanted);
    await this.#refuseUnknownScorer(wanted.judge_disagreement);
    refuseFewAssignees(wanted.assignee_ids, wanted.answers_required);
    const id = newId();
    const made = { id, project_id, run_id, created_by: caller.user_id, created_at: clock().toISOString() };
    await transactions.run(async () => {
      await annotationQueueStore.insert({ ...made, ...toSettings(wanted) });
      await this.#fill(project_id, run_id, id, await this.#toFirst(project_id, run_id, wanted));
    });
    return this.#found(project_id, id);
  }

  async list(caller: Caller, project_id: string): Promise<AnnotationQueue[]> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return this.#deps.annotationQueueStore.list(project_id);
  }

  async get(caller: Caller, project_id: string, id: string): Promise<AnnotationQueue> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return this.#found(project_id, id);
  }

  /** Reservations and answers that are there stay as they are. */
  async update(caller: Caller, project_id: string, id: string, wanted: AnnotationQueueUpdate): Promise<AnnotationQueue> {
    const { authorizer, annotationQueueStore } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'configure_human_feedback');
    const { answers_required } = await this.#found(project_id, id);
    await this.#refuseUnknownScorer(wanted.judge_disagreement);
    const changes = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value != null)) as QueueChanges;
    if (changes.assignee_ids) refuseFewAssignees(changes.assignee_ids, answers_required);
    if (Object.keys(changes).length > 0) await annotationQueueStore.update(project_id, id, changes);
    return this.#found(project_id, id);
  }

  /** The answers stay with their records. */
  async delete(caller: Caller, project_id: string, id: string): Promise<{ message: string }> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'configure_human_feedback');
    if (!(await this.#deps.annotationQueueStore.remove(project_id, id))) throw queueNotFound(id);
    return { message: `annotation queue ${id} is deleted` };
  }

  async add(caller: Caller, project_id: string, id: string, chosen: ChosenRecords): Promise<AnnotationQueue> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'configure_human_feedback');
    const { run_id } = await this.#found(project_id, id);
    await this.#refuseUnknownRecords(project_id, run_id, chosen);
    await this.#deps.transactions.run(() => this.#fill(project_id, run_id, id, chosen));
    return this.#found(project_id, id);
  }

  /** The records that a queue begins with: where nothing else was chosen, the records that its rule would have brought in. */
  async #toFirst(project_id: string, run_id: string, wanted: NewAnnotationQueue): Promise<ChosenRecords> {
    const { judge_disagreement: rule, record_ids, filters, filter_tree } = wanted;
    if (!rule || record_ids || filters.length > 0 || filter_tree) return wanted;
    const settings = await this.#deps.metricSettingsStore.find(project_id, run_id);
    const entry = settings?.scorers.find(({ id }) => id === rule.scorer_id);
    if (!entry) return { ...wanted, record_ids: [] };
    const column_id = toAgreementColumnId(entry.name);
    return { ...wanted, filters: [{ type: 'number', column_id, operator: 'lt', value: 1 - rule.above }] };
  }

  async #refuseUnknownScorer(rule: NewAnnotationQueue['judge_disagreement']): Promise<void> {
    if (rule && !(await this.#deps.scorerStore.find(rule.scorer_id))) throw scorerNotFound(rule.scorer_id);
  }

  async #fill(project_id: string, run_id: string, id: string, chosen: ChosenRecords): Promise<void> {
    const { annotationQueueStore, recordScan } = this.#deps;
    if (chosen.record_ids) return void (await annotationQueueStore.addItems(project_id, id, chosen.record_ids));
    const selection = { project_id, run_id, level: chosen.record_type, where: toRecordCondition(chosen) };
    let left = chosen.max_records;
    for await (const keys of recordScan.keys(selection, Math.min(KEYS_AT_ONCE, left))) {
      const ids = keys.map((key) => key.id).slice(0, left);
      await annotationQueueStore.addItems(project_id, id, ids);
      left -= ids.length;
      if (left <= 0) break;
    }
  }

  async #refuseUnknownRecords(project_id: string, run_id: string, { record_ids }: ChosenRecords): Promise<void> {
    if (!record_ids) return;
    const known = await this.#deps.traceStore.existing(project_id, run_id, record_ids);
    const issues = record_ids.flatMap((id, at): Issue[] =>
      known.has(id)
        ? []
        : [{ loc: ['body', 'record_ids', at], msg: 'the run has no such record', type: 'record_unknown', input: id }],
    );
    if (issues.length > 0) throw new AppError('invalid', 'record_unknown', 'the run has no such records', { issues });
  }

  async #refuseUnknownTemplates(project_id: string, template_ids: readonly string[]): Promise<void> {
    const known = new Set((await this.#deps.ratingStore.listTemplates(project_id)).map(({ id }) => id));
    const unknown = template_ids.find((id) => !known.has(id));
    if (unknown !== undefined) throw templateNotFound(unknown);
  }

  #found(project_id: string, id: string): Promise<AnnotationQueue> {
    return requireQueue(this.#deps.annotationQueueStore, project_id, id);
  }
}

const toSettings = (wanted: NewAnnotationQueue) => {
  const { name, template_ids, assignee_ids, reviewer_ids, answers_required, review, order_by, reservation_seconds } = wanted;
  const judge_disagreement = wanted.judge_disagreement ?? null;
  return {
    name,
    template_ids,
    assignee_ids,
    reviewer_ids,
    answers_required,
    review,
    order_by,
    judge_disagreement,
    reservation_seconds,
  };
};

/** A record that needs more answers than there are assignees would never have them. */
function refuseFewAssignees(assignee_ids: readonly string[], answers_required: number): void {
  if (assignee_ids.length === 0 || new Set(assignee_ids).size >= answers_required) return;
  const msg = `${answers_required} answers of ${new Set(assignee_ids).size} assignees`;
  const issues = [{ loc: ['body', 'assignee_ids'], msg, type: 'assignees_too_few' }];
  throw new AppError('invalid', 'assignees_too_few', msg, { issues });
}
