import type { RecordIndex } from '../../core/record-index/record-index.ts';
import type { WriteQueue } from '../../core/traces/write-queue.ts';
import type { BackgroundWork } from '../process/background-loop.ts';
import { capability } from './registration.ts';

/** How long a record waits, at most, before lists of trends and the search by words know it, when there is little to do. */
const INDEX_REST_MS = 500;
const INDEXED_AT_ONCE = 2_000;
/** So that a run with much to index does not hold up the others, and the next run is read while the words of one are written. */
const INDEXERS = 2;
/** While records wait to be written, indexing takes a twentieth of the time and writing the rest. */
const BUSY_POLITENESS = 20 * INDEXERS - 1;
const IDLE_POLITENESS = 0.1;

const indexing = ({ recordIndex, writeQueue }: { recordIndex: RecordIndex; writeQueue: WriteQueue }): BackgroundWork => ({
  name: 'index records',
  work: async () => (await recordIndex.advance(INDEXED_AT_ONCE)) > 0,
  idleDelayMs: INDEX_REST_MS,
  dutyCycle: () => (writeQueue.queuedBytes > 0 ? BUSY_POLITENESS : IDLE_POLITENESS),
});

export const recordIndex = capability({ background: Array.from({ length: INDEXERS }, () => indexing) });
