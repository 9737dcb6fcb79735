import { isSerializationConflict } from './database-failure.ts';

const MAX_COLLISIONS = 5;

/** Work that the server turned away because of others is tried again. MUST NOT be used inside a transaction. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let collisions = 0; ; collisions += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isSerializationConflict(error) || collisions >= MAX_COLLISIONS) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** collisions));
    }
  }
}
