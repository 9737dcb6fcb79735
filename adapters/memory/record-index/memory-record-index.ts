import type { RecordIndex } from '../../../core/record-index/record-index.ts';

/** Memory stores read the records themselves, so there is never anything to do. */
export class MemoryRecordIndex implements RecordIndex {
  async advance(): Promise<number> {
    return 0;
  }

  async backlog(): Promise<number> {
    return 0;
  }
}
