/**
 * A version of a dataset is a list of blocks, and a block a list of rows. Neither ever changes: a new version shares
 * all blocks with the one before but those that its edits touch. So every version is read alike, however many there
 * are, and two versions differ at most in the blocks they do not share.
 */
export interface Block {
  readonly id: number;
  /** How many rows it holds; never none. */
  readonly size: number;
  /** Position of its first row. */
  readonly first: number;
}

/**
 * A row in a block. The position is the row's own for life, and no other row of the dataset ever gets it; within a
 * version, positions rise from row to row. `revision` is the row as it was last written.
 */
export interface Entry {
  readonly position: number;
  readonly revision: number;
}

/** Small enough to be written anew for one row, and large enough to keep lists of blocks short. */
export const BLOCK_SIZE = 512;

/** A block with the index of its first row in the version. */
export interface PlacedBlock extends Block {
  readonly start: number;
}

export function placed(blocks: readonly Block[]): PlacedBlock[] {
  let start = 0;
  return blocks.map((block) => {
    const at = start;
    start += block.size;
    return { ...block, start: at };
  });
}

export const countBlockRows = (blocks: readonly Block[]): number => blocks.reduce((sum, { size }) => sum + size, 0);

/** The blocks that hold the rows from index `offset` on, up to `limit` of them. */
export function blocksAt(blocks: readonly Block[], offset: number, limit: number): PlacedBlock[] {
  return placed(blocks).filter(({ start, size }) => start < offset + limit && start + size > offset);
}

/** Index of the block that holds the position if any does; -1 when it lies before all blocks. */
export function getBlockIndex(blocks: readonly Block[], position: number): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blocks[middle]!.first <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the blocks that each of two lists has and the other has not. */
export function unshared(left: readonly Block[], right: readonly Block[]): { left: PlacedBlock[]; right: PlacedBlock[] } {
  const inLeft = new Set(left.map(({ id }) => id));
  const inRight = new Set(right.map(({ id }) => id));
  return {
    left: placed(left).filter(({ id }) => !inRight.has(id)),
    right: placed(right).filter(({ id }) => !inLeft.has(id)),
  };
}
