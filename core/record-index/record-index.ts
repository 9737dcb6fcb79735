/**
 * Index derived from records for fast reads: their metrics, the hourly roll-up, the words they can be searched by. Kept
 * up to date behind the write path from a list of what changed, which is written in the same transaction as the change:
 * nothing is forgotten, and nothing makes a writer wait.
 */
export interface RecordIndex {
  /** Takes entries of that list, of one run and about `limit` records, and returns how many; 0 when nothing is left, or others are at it: any number may do this side by side, of each run one. */
  advance(limit: number): Promise<number>;
  /** Entries that wait. */
  backlog(): Promise<number>;
}
