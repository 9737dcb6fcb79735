import { AppError } from '../kernel/errors.ts';

/**
 * Makes creation safe to repeat. Clients look a name up and create it when it is missing; several of them starting at
 * once race there, and whoever comes second gets what the first one made.
 */
export async function findOrInsert<T>(find: () => Promise<T | undefined>, insert: () => Promise<T>): Promise<T> {
  const existing = await find();
  if (existing !== undefined) return existing;
  try {
    return await insert();
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'conflict')) throw error;
    const made = await find();
    if (made === undefined) throw error;
    return made;
  }
}
