import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FileKey, StoredFile } from '../../../core/files/file.ts';
import { CREATED, newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';

/** The stores are opened once; every test works in a run of its own. */
export function fileStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`FileStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const newFile = (facts: Partial<StoredFile> = {}): StoredFile => ({
      ...{ project_id: run.project_id, id: randomUUID(), filename: 'a\0 🦜.png', content_type: 'image/png', modality: 'image' },
      ...{
        size_bytes: 7,
        sha256: 'ab'.repeat(32),
        status: 'complete',
        upload_metadata: null,
        created_by: null,
        created_at: CREATED,
      },
      ...facts,
    });
    const insert = (...files: StoredFile[]) => stores.fileStore.insertOrHold(files);
    const list = (...ids: string[]) => stores.fileStore.list(run.project_id, ids);
    const refer = (record_id: string, ...ids: string[]) =>
      stores.fileStore.refer(
        run.project_id,
        run.run_id,
        ids.map((file_id) => ({ record_id, file_id })),
      );
    const left = async () =>
      (await stores.fileStore.listLeft(1_000)).filter(({ project_id }) => project_id === run.project_id).map(({ id }) => id);
    const release = (file: FileKey) => stores.transactions.run(() => stores.fileStore.release(file));
    const newRecord = async () => {
      const record = trace(run);
      await write(stores, [record]);
      return record;
    };
    const removeTrace = (id: string) => stores.recordRemoval.removeTraces(run.project_id, run.run_id, [id]);

    it('keeps a file as it was given, once', async () => {
      const file = newFile({ created_by: randomUUID(), upload_metadata: '{"a": 1}' });
      expect(await insert(file)).toEqual(new Set([file.id]));
      expect(await insert({ ...file, filename: 'other' })).toEqual(new Set());
      expect(await list(file.id, randomUUID())).toStrictEqual([file]);
      expect(await stores.fileStore.list(randomUUID(), [file.id])).toEqual([]);
    });

    it('holds a file, whether a record names it or not, and returns what it is', async () => {
      const file = newFile();
      await insert(file);
      const { fileStore, transactions } = stores;
      const hold = () => transactions.run(() => fileStore.hold(file));
      const { id } = await newRecord();
      await refer(id, file.id);
      expect(await hold()).toStrictEqual(file);
      await removeTrace(id);
      expect(await hold()).toStrictEqual(file);
      expect(await release(file)).toBe(true);
      expect(await hold()).toBeUndefined();
    });

    it('lists content that was put without its facts, until these are stored', async () => {
      const [lost, kept, later] = [newFile(), newFile(), newFile()];
      const [before, at, after] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
      const { fileStore, transactions } = stores;
      const listed = async (time: string) =>
        (await fileStore.listPuts(time, 1_000)).filter(({ project_id }) => project_id === run.project_id).map(({ id }) => id);
      const releasePut = (file: FileKey, time: string) => transactions.run(() => fileStore.releasePut(file, time));
      await fileStore.notePuts([lost, kept, later], before);
      await fileStore.notePuts([later], after);
      await insert(kept);
      expect(new Set(await listed(at))).toEqual(new Set([lost.id, kept.id]));
      expect(await releasePut(later, at)).toBe(false);
      expect(await releasePut(kept, at)).toBe(false);
      expect(await releasePut(lost, at)).toBe(true);
      expect(await releasePut(lost, at)).toBe(false);
      await fileStore.settlePuts([later]);
      expect(await listed('2027-01-01T00:00:00.000Z')).toEqual([]);
    });

    it('gives a file that came within a record the name and the person of its first upload', async () => {
      const file = newFile({ filename: null });
      const upload = { ...file, filename: 'b', upload_metadata: '{}', created_by: randomUUID() };
      await insert(file);
      expect(await insert(upload)).toEqual(new Set());
      await insert({ ...upload, filename: 'c' });
      expect(await list(file.id)).toStrictEqual([upload]);
    });

    it('asks for the content of a file that had no room before', async () => {
      const file = newFile({ status: 'failed' });
      expect(await insert(file)).toEqual(new Set());
      expect(await insert(file)).toEqual(new Set());
      expect(await insert({ ...file, status: 'complete' })).toEqual(new Set([file.id]));
      expect(await insert({ ...file, status: 'complete' })).toEqual(new Set());
      expect(await list(file.id)).toMatchObject([{ status: 'complete' }]);
    });

    it('adds up the bytes of a project, and takes off what is released', async () => {
      const [file, other] = [newFile(), newFile({ size_bytes: 35 })];
      expect(await stores.fileStore.bytesIn(run.project_id)).toBe(0);
      await insert(file, other);
      await stores.fileStore.addBytes(run.project_id, 42);
      expect(await stores.fileStore.bytesIn(run.project_id)).toBe(42);
      const record = await newRecord();
      await refer(record.id, other.id);
      await removeTrace(record.id);
      expect(await release(other)).toBe(true);
      expect(await stores.fileStore.bytesIn(run.project_id)).toBe(7);
    });

    it('lets a file go with the last record that names it', async () => {
      const file = newFile();
      await insert(file);
      const [one, other] = [await newRecord(), await newRecord()];
      await refer(one.id, file.id, randomUUID());
      await refer(one.id, file.id);
      await refer(other.id, file.id);
      await removeTrace(one.id);
      expect(await list(file.id)).toHaveLength(1);
      expect(await release(file)).toBe(false);
      expect(await left()).toEqual([]);
      await removeTrace(other.id);
      expect(await list(file.id)).toEqual([]);
      expect(await left()).toEqual([file.id]);
      expect(await release(file)).toBe(true);
      expect(await release(file)).toBe(false);
      expect(await left()).toEqual([]);
    });

    it('keeps an upload that no record has named yet, and one that is sent again after its records went', async () => {
      const file = newFile({ created_by: randomUUID() });
      await insert(file);
      expect(await left()).toEqual([]);
      const record = await newRecord();
      await refer(record.id, file.id);
      await removeTrace(record.id);
      expect(await list(file.id)).toEqual([]);
      expect(await insert(file)).toEqual(new Set());
      expect(await list(file.id)).toHaveLength(1);
      expect(await release(file)).toBe(false);
    });

    it('forgets what refused records named: what came within them goes, an upload stays', async () => {
      const [inline, upload, kept] = [newFile(), newFile({ created_by: randomUUID() }), newFile()];
      await insert(inline, upload, kept);
      const [refused, record] = [randomUUID(), await newRecord()];
      await refer(refused, inline.id, upload.id);
      await refer(record.id, kept.id);
      await stores.fileStore.forget(run.project_id, run.run_id, [refused, record.id]);
      expect(await left()).toEqual([inline.id]);
      expect((await list(inline.id, upload.id, kept.id)).map(({ id }) => id).sort()).toEqual([upload.id, kept.id].sort());
    });

    it('leaves the files of a run when that is removed, and those of others alone', async () => {
      const [file, shared] = [newFile(), newFile()];
      await insert(file, shared);
      const record = await newRecord();
      await refer(record.id, file.id, shared.id);
      const other = await newRun(stores, run.project_id);
      await stores.fileStore.refer(run.project_id, other.run_id, [{ record_id: randomUUID(), file_id: shared.id }]);
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect((await left()).sort()).toEqual([file.id, shared.id].sort());
      expect(await release(shared)).toBe(false);
      expect(await release(file)).toBe(true);
    });

    it('removes all files with their project, and tells of their content', async () => {
      const file = newFile();
      await insert(file);
      await stores.fileStore.addBytes(run.project_id, file.size_bytes);
      await stores.projectStore.removeProject(run.project_id);
      await stores.traceStore.removeAll(run.project_id);
      expect(await list(file.id)).toEqual([]);
      expect(await stores.fileStore.bytesIn(run.project_id)).toBe(0);
      expect(await left()).toEqual([file.id]);
      expect(await release(file)).toBe(true);
      expect(await left()).toEqual([]);
    });

    it('gives back content byte by byte until it is removed', async () => {
      const { fileContents } = stores;
      const [file, other] = [newFile(), newFile()];
      const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
      await fileContents.put(file, bytes);
      await fileContents.put(file, bytes);
      expect(await fileContents.find(file)).toEqual(bytes);
      expect(await fileContents.find(other)).toBeUndefined();
      await fileContents.put(other, new Uint8Array());
      expect(await fileContents.find(other)).toEqual(new Uint8Array());
      await fileContents.remove(file);
      await fileContents.remove(file);
      expect(await fileContents.find(file)).toBeUndefined();
    });
  });
}
