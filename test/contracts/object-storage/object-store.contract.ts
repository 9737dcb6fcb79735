import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectEntry, ObjectStore } from '../../../core/object-storage/object-store.ts';
import type { Opened } from '../opened.ts';

/** All that a store lists under a prefix. */
export async function listAll(store: ObjectStore, prefix = ''): Promise<ObjectEntry[]> {
  const entries: ObjectEntry[] = [];
  for await (const entry of store.list(prefix)) entries.push(entry);
  return entries;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export function objectStoreContract(adapter: string, open: () => Promise<Opened<ObjectStore>>): void {
  describe(`ObjectStore, ${adapter}`, () => {
    let opened: Opened<ObjectStore>;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    const keys = async (prefix: string) => (await listAll(opened.port, prefix)).map(({ key }) => key);

    it('keeps an object whole, replaces it, and gives it back', async () => {
      const { port } = opened;
      expect(await port.get('project=1/day=2026-11-25/records-1.parquet')).toBeUndefined();
      expect(await port.put('project=1/day=2026-11-25/records-1.parquet', bytes('first'))).toBe(true);
      expect(await port.put('project=1/day=2026-11-25/records-1.parquet', bytes('second one'))).toBe(true);
      const found = await port.get('project=1/day=2026-11-25/records-1.parquet');
      expect(new TextDecoder().decode(found)).toBe('second one');
      expect(await listAll(port)).toEqual([{ key: 'project=1/day=2026-11-25/records-1.parquet', bytes: 10 }]);
    });

    it('keeps every byte, and an empty object', async () => {
      const all = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
      await opened.port.put('all', all);
      await opened.port.put('none', new Uint8Array());
      expect(Buffer.compare((await opened.port.get('all'))!, all)).toBe(0);
      expect((await opened.port.get('none'))!.byteLength).toBe(0);
    });

    it('keeps an object only where there is none, when that is asked for', async () => {
      expect(await opened.port.put('a/b', bytes('first'), { if_absent: true })).toBe(true);
      expect(await opened.port.put('a/b', bytes('second'), { if_absent: true })).toBe(false);
      expect(new TextDecoder().decode(await opened.port.get('a/b'))).toBe('first');
    });

    it('lets one of many win who put an object where there is none', async () => {
      const puts = Array.from({ length: 8 }, (_, at) => opened.port.put('a', bytes(`${at}`), { if_absent: true }));
      const won = (await Promise.all(puts)).flatMap((isMine, at) => (isMine ? [at] : []));
      expect(won).toHaveLength(1);
      expect(new TextDecoder().decode(await opened.port.get('a'))).toBe(`${won[0]}`);
    });

    it('lists by prefix and in order, across pages', async () => {
      const names = ['a/1', 'a/2', 'a/b/1', 'a-1', 'b/1', 'ab/1'];
      for (const name of names) await opened.port.put(name, bytes(name));
      expect(await keys('')).toEqual([...names].sort());
      expect(await keys('a/')).toEqual(['a/1', 'a/2', 'a/b/1']);
      expect(await keys('nothing/')).toEqual([]);
    });

    it('removes an object, and minds none that is not there', async () => {
      await opened.port.put('a/b/c', bytes('x'));
      await opened.port.put('a/d', bytes('y'));
      await opened.port.remove('a/b/c');
      await opened.port.remove('a/b/c');
      await opened.port.remove('never/was');
      expect(await keys('')).toEqual(['a/d']);
      await opened.port.put('a/b/c', bytes('again'));
      expect(await keys('')).toEqual(['a/b/c', 'a/d']);
    });

    it('refuses what is no key', async () => {
      for (const key of ['', '/a', 'a/', 'a//b', '../a', 'a/../b', '.a', 'a b', 'a\u0000', 'ä', 'a'.repeat(1_025)])
        await expect(opened.port.put(key, bytes('x')), key).rejects.toThrow(RangeError);
      expect(await keys('')).toEqual([]);
    });
  });
}
