import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseFileContents, FileContents, ListedFileContents } from '../../../core/files/file-store.ts';
import type { Opened } from '../opened.ts';
import type { RecordStores } from '../traces/record-stores.ts';

/** Whoever goes through all content finds it once, with its size, though some of it is removed on the way. */
export function listedFileContentsContract(adapter: string, open: () => Promise<Opened<ListedFileContents>>): void {
  describe(`ListedFileContents, ${adapter}`, () => {
    it('lists all content once, and goes on when what it listed is removed', async () => {
      const { port, close } = await open();
      const projects: readonly string[] = [randomUUID(), randomUUID()];
      const files = projects.flatMap((project_id) => Array.from({ length: 600 }, () => ({ project_id, id: randomUUID() })));
      for (const [at, file] of files.entries()) await port.put(file, new Uint8Array(at % 5));
      const found = new Map<string, number>();
      for await (const { project_id, id, bytes } of port.listAll()) {
        if (!projects.includes(project_id)) continue;
        expect(found.has(id)).toBe(false);
        found.set(id, bytes);
        await port.remove({ project_id, id });
      }
      expect(found).toEqual(new Map(files.map(({ id }, at) => [id as string, at % 5])));
      for await (const { project_id } of port.listAll()) expect(projects).not.toContain(project_id);
      await close();
    });
  });
}

/** That of the stores around records. */
export const openFileContents = (open: () => Promise<RecordStores>) => async (): Promise<Opened<DatabaseFileContents>> => {
  const stores = await open();
  return { port: stores.fileContents, close: () => stores.close() };
};

/** More that the content in a database promises. */
export function databaseFileContentsContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`DatabaseFileContents, ${adapter}`, () => {
    it('tells which files of a project it has the content of', async () => {
      const stores = await open();
      const { fileContents } = stores;
      const project_id = randomUUID();
      const [kept, gone, never] = [randomUUID(), randomUUID(), randomUUID()];
      for (const id of [kept, gone]) await fileContents.put({ project_id, id }, new Uint8Array([1]));
      await fileContents.remove({ project_id, id: gone });
      expect(await fileContents.listHeld(project_id, [kept, gone, never])).toEqual(new Set([kept]));
      expect(await fileContents.listHeld(randomUUID(), [kept])).toEqual(new Set());
      expect(await fileContents.listHeld(project_id, [])).toEqual(new Set());
      await stores.close();
    });
  });
}

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
