import { describe, expect, it } from 'vitest';
import { deleteEach } from './delete-each.ts';
import { AppError } from './errors.ts';

const failing: Readonly<Record<string, Error>> = {
  kept: new AppError('forbidden', 'action_forbidden', 'not yours'),
  broken: new TypeError('a bug'),
};

function deletion(...ids: string[]) {
  const removed: string[] = [];
  const remove = async (id: string) => {
    if (failing[id]) throw failing[id];
    removed.push(id);
  };
  const failed = (id: string, { message }: AppError) => ({ id, message });
  return { removed, done: deleteEach({ ids, called: 'things', remove, failed }) };
}

describe('deleting many', () => {
  it('goes on behind what cannot be deleted, and deletes once what is named twice', async () => {
    const { removed, done } = deletion('a', 'kept', 'b', 'a');
    expect(await done).toEqual({
      deleted_count: 2,
      failed_deletions: [{ id: 'kept', message: 'not yours' }],
      message: '2 of 3 things were deleted',
    });
    expect(removed).toEqual(['a', 'b']);
  });

  it('ends where something else goes wrong', async () => {
    const { removed, done } = deletion('a', 'broken', 'b');
    await expect(done).rejects.toBe(failing.broken);
    expect(removed).toEqual(['a']);
  });
});
