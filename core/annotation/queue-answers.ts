import { AppError } from '../kernel/errors.ts';
import { type AnnotationTemplate, templateNotFound } from '../ratings/annotation-template.ts';
import { refuseInvalid } from '../ratings/rating.ts';
import { type AnnotationAnswers, type AnnotationQueue, queueNotFound } from './annotation-queue.ts';
import type { AnnotationQueueStore } from './annotation-queue-store.ts';

export async function requireQueue(store: AnnotationQueueStore, project_id: string, id: string): Promise<AnnotationQueue> {
  const queue = await store.find(project_id, id);
  if (!queue) throw queueNotFound(id);
  return queue;
}

/** Throws unless every template of the queue has one answer that fits it. A template that was deleted needs none. */
export function refuseInvalidAnswers(
  all: readonly AnnotationTemplate[],
  template_ids: readonly string[],
  { answers }: AnnotationAnswers,
): void {
  const templates = new Map(all.map((one) => [one.id, one]));
  for (const [at, { template_id, value }] of answers.entries()) {
    const template = templates.get(template_id);
    if (!template || !template_ids.includes(template_id)) throw templateNotFound(template_id);
    refuseInvalid({ ...template, type: template.annotation_type }, value, ['body', 'answers', at, 'value']);
  }
  const missing = template_ids.find((id) => templates.has(id) && !answers.some(({ template_id }) => template_id === id));
  if (missing === undefined) return;
  const msg = `template ${missing} has no answer`;
  throw new AppError('invalid', 'answer_missing', msg, { issues: [{ loc: ['body', 'answers'], msg, type: 'answer_missing' }] });
}
