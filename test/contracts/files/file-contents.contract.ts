import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileContents } from '../../../core/files/file-store.ts';
import type { Opened } from '../opened.ts';
import type { RecordStores } from '../traces/record-stores.ts';

/** That of the stores around records. */
export const openFileContents = (open: () => Promise<RecordStores>) => async (): Promise<Opened<FileContents>> => {
  const stores = await open();
  return { port: stores.fileContents, close: () => stores.close() };
};

export function fileContentsContract(adapter: string, open: () => Promise<Opened<FileContents>>): void {
  describe(`FileContents, ${adapter}`, () => {
    let opened: Opened<FileContents>;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    const newKey = () => ({ project_id: randomUUID(), id: randomUUID() });

    it('returns the bytes that were put, whatever they are', async () => {
      const file = newKey();
      for (const bytes of [new Uint8Array(), Uint8Array.from({ length: 70_000 }, (_, at) => at % 256)]) {
        await opened.port.put(file, bytes);
        expect(Buffer.from((await opened.port.find(file))!)).toEqual(Buffer.from(bytes));
      }
    });

    it('puts a part of a larger array alone', async () => {
      const file = newKey();
      await opened.port.put(file, new Uint8Array([1, 2, 3, 4]).subarray(1, 3));
      expect([...(await opened.port.find(file))!]).toEqual([2, 3]);
    });

    it('returns undefined where nothing was put: each project has its own', async () => {
      const file = newKey();
      await opened.port.put(file, new Uint8Array([1]));
      expect(await opened.port.find({ ...file, project_id: randomUUID() })).toBeUndefined();
      expect(await opened.port.find({ ...file, id: randomUUID() })).toBeUndefined();
    });

    it('removes content, and does not mind that there is none', async () => {
      const file = newKey();
      await opened.port.put(file, new Uint8Array([1]));
      await opened.port.remove(file);
      await opened.port.remove(file);
      expect(await opened.port.find(file)).toBeUndefined();
    });
  });
}
