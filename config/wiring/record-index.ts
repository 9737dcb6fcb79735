import type { RecordIndex } from '../../core/record-index/record-index.ts';
import type { WriteQueue } from '../../core/traces/write-queue.ts';
import type { BackgroundWork } from '../process/background-loop.ts';
import { capability } from './registration.ts';

/** How long a record waits, at most, before lists of trends and the search by words know it, when there is little to do. */
const INDEX_REST_MS = 500;
const INDEXED_AT_ONCE = 2_000;
/** So that a run with much to index does not hold up the others, and the next run is read while the words of one are written. */
const INDEXERS = 2;
/** While records wait to be written, indexing takes a twentieth of the time and writing the rest: a burst is indexed behind it. */
const BUSY_DUTY_CYCLE = 20 * INDEXERS - 1;
const IDLE_DUTY_CYCLE = 0.1;
/** A burst that lasts: indexing that has been behind for so long takes its full share, or it would be behind without end. */
const PATIENCE_MS = 5_000;

function indexing({ recordIndex, writeQueue }: { recordIndex: RecordIndex; writeQueue: WriteQueue }): BackgroundWork {
  let behindSince: number | undefined;
  return {
    name: 'index records',
    work: async () => {
      const hasMore = (await recordIndex.advance(INDEXED_AT_ONCE)) > 0;
      behindSince = hasMore ? (behindSince ?? performance.now()) : undefined;
      return hasMore;
    },
    idleDelayMs: INDEX_REST_MS,
    dutyCycle: () => {
      const behindMs = performance.now() - (behindSince ?? performance.now());
      return writeQueue.queuedBytes > 0 ? computeDutyCycle(behindMs) : IDLE_DUTY_CYCLE;
    },
  };
}

const computeDutyCycle = (behindMs: number): number => Math.max(IDLE_DUTY_CYCLE, BUSY_DUTY_CYCLE * (1 - behindMs / PATIENCE_MS));

export const recordIndex = capability({ background: Array.from({ length: INDEXERS }, () => indexing) });
