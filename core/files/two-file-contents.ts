import type { FileContents } from './file-store.ts';

/**
 * Content in two stores, after files were kept in another one: what is new goes into the first, what is in the second stays readable there,
 * and is removed from both. No transaction holds both together.
 */
export const twoFileContents = (first: FileContents, second: FileContents): FileContents => ({
  isTransactional: false,
  put: (file, bytes) => first.put(file, bytes),
  // A third look finds what was moved from the second to the first between the other two.
  find: async (file) => (await first.find(file)) ?? (await second.find(file)) ?? first.find(file),
  remove: async (file) => {
    await first.remove(file);
    await second.remove(file);
  },
});
