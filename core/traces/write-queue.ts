/** Records that have been taken in and wait to be written. */
export interface WriteQueue {
  readonly queuedBytes: number;
}
