import type { AnnotationQueue } from '../../core/annotation/annotation-queue.ts';
import { numberText } from '../kit/formatting.ts';
import { toShareDone } from './queue.ts';

/** How far a queue is: in words, and as a bar for those who see it. */
export function QueueProgressBar({ queue }: { queue: AnnotationQueue }) {
  const { num_pending, num_in_review, num_done, num_skipped } = queue;
  const parts = [`${numberText(num_done)} done`, `${numberText(num_pending)} to answer`];
  if (num_in_review > 0) parts.push(`${numberText(num_in_review)} to review`);
  if (num_skipped > 0) parts.push(`${numberText(num_skipped)} skipped`);
  return (
    <div class="d-flex align-items-center gap-2">
      <progress class="queue-progress" max={1} value={toShareDone(queue)} aria-label={`${queue.name}: ended`} />
      <span class="small text-body-secondary">{parts.join(' · ')}</span>
    </div>
  );
}
