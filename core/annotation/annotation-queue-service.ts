import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError, type Issue } from '../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { knownRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import { type AnnotationTemplate, templateNotFound } from '../ratings/annotation-template.ts';
import { recordNotFound, refuseInvalid } from '../ratings/rating.ts';
import type { RatingStore } from '../ratings/rating-store.ts';
import type { RecordScan } from '../traces/read/record-scan.ts';
import { type ScoredView, scoredViews, type ViewDeps } from '../traces/read/record-views.ts';
import { toRecordCondition } from '../traces/record-query.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import {
  type AnnotationAnswers,
  type AnnotationQueue,
  type ChosenRecords,
  type NewAnnotationQueue,
  queueNotFound,
} from './annotation-queue.ts';
import type { AnnotationQueueStore } from './annotation-queue-store.ts';

export interface AnnotationQueueDeps extends ViewDeps {
  readonly annotationQueueStore: AnnotationQueueStore;
  readonly ratingStore: RatingStore;
  readonly traceStore: TraceStore;
  readonly recordScan: RecordScan;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

const CLAIM_MS = 30 * 60_000;
const KEYS_AT_ONCE = 500;

/** Records that are handed to annotators one by one. */
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
    const { name, template_ids } = wanted;
    const id = newId();
    const facts = { id, project_id, run_id, name, template_ids, created_by: caller.user_id };
    await transactions.run(async () => {
      await annotationQueueStore.insert({ ...facts, created_at: clock().toISOString() });
      await this.#fill(project_id, run_id, id, wanted);
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

  /** The next record for the caller, who has half an hour for it. Records that are gone are passed by. */
  async next(
    caller: Caller,
    project_id: string,
    id: string,
  ): Promise<{ record: ScoredView | null; templates: AnnotationTemplate[] }> {
    const { authorizer, annotationQueueStore, ratingStore, traceStore, clock } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'record_human_feedback');
    const { run_id, template_ids } = await this.#found(project_id, id);
    const templates = (await ratingStore.listTemplates(project_id)).filter((template) => template_ids.includes(template.id));
    for (;;) {
      const [now, until] = [clock(), new Date(clock().getTime() + CLAIM_MS)].map((time) => time.toISOString());
      const record_id = await annotationQueueStore.claim(project_id, id, caller.user_id, now!, until!);
      if (record_id === undefined) return { record: null, templates };
      const record = await traceStore.find(project_id, record_id, run_id);
      if (record) return { record: (await scoredViews(this.#deps, project_id, run_id, [record]))[0]!, templates };
      await this.#end(caller, project_id, id, record_id, 'skipped');
    }
  }

  /** The caller's answers on a record, which is then done; none is stored unless all of them can be. */
  async answer(
    caller: Caller,
    project_id: string,
    id: string,
    record_id: string,
    body: AnnotationAnswers,
  ): Promise<AnnotationQueue> {
    const { authorizer, ratingStore, transactions, clock } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'record_human_feedback');
    const { run_id, template_ids } = await this.#found(project_id, id);
    if (!body.skip) await this.#refuseInvalid(project_id, template_ids, body);
    const rated_at = clock().toISOString();
    await transactions.run(async () => {
      for (const { template_id, value, explanation = null } of body.skip ? [] : body.answers) {
        const key = { project_id, run_id, record_id, template_id, annotator_id: caller.user_id };
        if (!(await ratingStore.putAnnotation({ ...key, value, explanation, rated_at }))) throw recordNotFound(record_id);
      }
      if (!(await this.#end(caller, project_id, id, record_id, body.skip ? 'skipped' : 'done')))
        throw new AppError('not_found', 'annotation_item_not_found', `record ${record_id} does not wait in this queue`);
    });
    return this.#found(project_id, id);
  }

  #end(caller: Caller, project_id: string, id: string, record_id: string, status: 'done' | 'skipped'): Promise<boolean> {
    const end = { status, ended_by: caller.user_id, ended_at: this.#deps.clock().toISOString() };
    return this.#deps.annotationQueueStore.end(project_id, id, record_id, end);
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

  /** Every template of the queue has one answer that fits it. */
  async #refuseInvalid(project_id: string, template_ids: readonly string[], { answers }: AnnotationAnswers): Promise<void> {
    const templates = new Map((await this.#deps.ratingStore.listTemplates(project_id)).map((one) => [one.id, one]));
    for (const [at, { template_id, value }] of answers.entries()) {
      const template = templates.get(template_id);
      if (!template || !template_ids.includes(template_id)) throw templateNotFound(template_id);
      refuseInvalid({ ...template, type: template.annotation_type }, value, ['body', 'answers', at, 'value']);
    }
    const missing = template_ids.find((id) => templates.has(id) && !answers.some(({ template_id }) => template_id === id));
    if (missing === undefined) return;
    const msg = `template ${missing} has no answer`;
    const issues = [{ loc: ['body', 'answers'], msg, type: 'answer_missing' }];
    throw new AppError('invalid', 'answer_missing', msg, { issues });
  }

  async #found(project_id: string, id: string): Promise<AnnotationQueue> {
    const queue = await this.#deps.annotationQueueStore.find(project_id, id);
    if (!queue) throw queueNotFound(id);
    return queue;
  }
}
