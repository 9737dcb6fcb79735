import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { StoredFile } from './file.ts';
import { SignedFileUrls } from './file-urls.ts';

const project_id = randomUUID();
const newFile = (facts: Partial<StoredFile> = {}): StoredFile => ({
  ...{ project_id, id: randomUUID(), filename: null, content_type: 'image/png', modality: 'image', size_bytes: 1 },
  ...{ sha256: 'ab'.repeat(32), status: 'complete', upload_metadata: null, created_by: null },
  created_at: '2026-01-01T00:00:00.000Z',
  ...facts,
});

it('signs a bounded number of addresses at once, asks the database once, and gives the others that of the service', async () => {
  let asked = 0;
  let signed = 0;
  const urls = new SignedFileUrls({
    databaseFileContents: {
      listHeld: async () => {
        asked += 1;
        return new Set();
      },
    },
    fileUrlSigning: {
      signer: {
        signRead: async (key) => {
          signed += 1;
          return `https://bucket.example/${key}`;
        },
      },
      seconds: 60,
    },
    publicUrl: undefined,
    clock: () => new Date('2026-01-01T00:00:00.000Z'),
  });
  const files = Array.from({ length: 1_200 }, () => newFile());
  const all = await urls.urlsOf(project_id, [newFile({ status: 'failed' }), ...files]);
  expect([asked, signed, all.size]).toEqual([1, 500, 1_200]);
  expect(all.get(files[0]!.id)).toEqual({
    ...{ file_id: files[0]!.id, url: `https://bucket.example/${project_id}/${files[0]!.id}` },
    url_expires_at: '2026-01-01T00:01:00.000Z',
  });
  expect(all.get(files.at(-1)!.id)).toMatchObject({
    url: `/v2/projects/${project_id}/files/${files.at(-1)!.id}`,
    url_expires_at: null,
  });
});
