import { z } from 'zod';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { Clock } from '../kernel/ports.ts';
import { PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { templateNotFound } from '../ratings/annotation-template.ts';
import { type Agreement, computeAgreement } from '../ratings/rater-agreement.ts';
import type { RatingStore } from '../ratings/rating-store.ts';
import type { LogRecord } from '../traces/record.ts';
import { type FilterTree, NEWEST_FIRST } from '../traces/record-query.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import type { AnnotationQueueStore } from './annotation-queue-store.ts';
import { requireQueue } from './queue-answers.ts';
import { AnnotatorCounts, type ItemStatus, QueueItem } from './queue-item.ts';

export interface AnnotationProgressDeps {
  readonly annotationQueueStore: AnnotationQueueStore;
  readonly ratingStore: Pick<RatingStore, 'findTemplate' | 'listByRuns'>;
  readonly traceStore: Pick<TraceStore, 'list'>;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
}

const MAX_REASONS = 50;
const NAMES = new Set(['name', 'trace_id'] as const);

/** How far a queue is, and whose work that is. */
export const QueueProgress = z
  .object({
    num_items: z.int(),
    num_pending: z.int(),
    num_in_review: z.int(),
    num_done: z.int(),
    num_skipped: z.int(),
    num_answers: z.int().describe('Answers of annotators; each is about all templates of the queue.'),
    num_reserved: z.int().describe('Reservations whose time is not over.'),
    annotators: z.array(AnnotatorCounts).describe('Assignees and reviewers, and all others who took part.'),
    skip_reasons: z
      .array(z.object({ reason: z.string().nullable(), count: z.int() }))
      .describe(`The ${MAX_REASONS} given most often; null: skipped without one.`),
  })
  .meta({ id: 'AnnotationQueueProgress' });
export type QueueProgress = z.output<typeof QueueProgress>;

/** An item with what its record is called, and its trace; null for one that is deleted. */
const NamedItem = QueueItem.extend({ name: z.string().nullable(), trace_id: z.string().nullable() }).meta({
  id: 'AnnotationItem',
});

export const QueueItemPage = z.object({ ...PageFields, items: z.array(NamedItem) }).meta({ id: 'AnnotationItemPage' });

const NOTHING_YET = { num_reserved: 0, num_answered: 0, num_skipped: 0, num_reviewed: 0, last_at: null };

/** Reads what came of a queue so far. */
export class AnnotationProgressService {
  readonly #deps: AnnotationProgressDeps;

  constructor(deps: AnnotationProgressDeps) {
    this.#deps = deps;
  }

  async progress(caller: Caller, project_id: string, id: string): Promise<QueueProgress> {
    const { authorizer, annotationQueueStore, clock } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const queue = await requireQueue(annotationQueueStore, project_id, id);
    const work = await annotationQueueStore.countWork(project_id, id, clock().toISOString(), MAX_REASONS);
    const { num_pending, num_in_review, num_done, num_skipped, assignee_ids, reviewer_ids } = queue;
    const idle = [...new Set([...assignee_ids, ...reviewer_ids])].filter(
      (annotator_id) => !work.annotators.some((one) => one.annotator_id === annotator_id),
    );
    const sum = (count: 'num_answered' | 'num_reserved') => work.annotators.reduce((total, one) => total + one[count], 0);
    return {
      num_items: num_pending + num_in_review + num_done + num_skipped,
      ...{ num_pending, num_in_review, num_done, num_skipped },
      num_answers: sum('num_answered'),
      num_reserved: sum('num_reserved'),
      annotators: [...work.annotators, ...idle.map((annotator_id) => ({ annotator_id, ...NOTHING_YET }))],
      skip_reasons: [...work.skip_reasons],
    };
  }

  async items(
    caller: Caller,
    project_id: string,
    id: string,
    { status, ...wanted }: PageRequest & { readonly status?: ItemStatus | undefined },
  ): Promise<z.output<typeof QueueItemPage>> {
    const { authorizer, annotationQueueStore } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id } = await requireQueue(annotationQueueStore, project_id, id);
    const { items, page } = toPage(await annotationQueueStore.listItems(project_id, id, status, sliceFor(wanted)), wanted);
    const records = await this.#records(
      project_id,
      run_id,
      items.map(({ record_id }) => record_id),
    );
    const named = items.map((item) => {
      const record = records.get(item.record_id);
      return { ...item, name: record?.name ?? null, trace_id: record?.trace_id ?? null };
    });
    return { ...page, items: named };
  }

  /** Without their payloads. A queue may hold traces and spans. */
  async #records(project_id: string, run_id: string, ids: string[]): Promise<Map<string, LogRecord>> {
    const where: FilterTree = { filter: { type: 'id', column_id: 'id', operator: 'one_of', value: ids } };
    const all = { project_id, run_id, where, sort: NEWEST_FIRST, starting_token: 0, limit: ids.length, after: undefined };
    const list = (level: 'trace' | 'span') => this.#deps.traceStore.list({ ...all, level, fields: NAMES });
    const found = ids.length === 0 ? [] : [...(await list('trace')), ...(await list('span'))];
    return new Map(found.map((record) => [record.id, record]));
  }

  /** Of the answers that annotators gave in this queue: neither reviewers nor answers from elsewhere take part. */
  async agreement(caller: Caller, project_id: string, id: string, template_id: string): Promise<Agreement> {
    const { authorizer, annotationQueueStore, ratingStore } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id, template_ids } = await requireQueue(annotationQueueStore, project_id, id);
    const template = await ratingStore.findTemplate(project_id, template_id);
    if (!template || !template_ids.includes(template_id)) throw templateNotFound(template_id);
    const answered = await annotationQueueStore.listAnswered(project_id, id);
    const parts = new Set(answered.map(({ record_id, annotator_id }) => `${record_id} ${annotator_id}`));
    const all = await ratingStore.listByRuns(project_id, [run_id]);
    const answers = all.filter((one) => one.template_id === template_id && parts.has(`${one.record_id} ${one.annotator_id}`));
    return computeAgreement(answers, template.annotation_type);
  }
}
