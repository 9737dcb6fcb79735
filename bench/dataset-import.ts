import { openAsBlob } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withPeakMemory } from './peak-memory.ts';
import type { Measured } from './report.ts';
import { type Stage, withFolder } from './stage.ts';

const TEXT = 'What does the tide table say about the harbour at noon, and who keeps it? '.repeat(3);
const BATCH = 1_000;

/** A large file on its way in: how long it takes, and what the service needs in memory for it. */
export function measureImport({ api }: Stage, numRows: number): Promise<Measured[]> {
  return withFolder(async (folder) => {
    const path = join(folder, 'rows.csv');
    await writeFile(path, numRows);
    const mebibytes = Math.round((await stat(path)).size / 1024 / 1024);
    const form = new FormData();
    form.set('name', `bench import ${Date.now()}`);
    form.set('file', await openAsBlob(path), 'rows.csv');
    const began = performance.now();
    const { result, memory } = await withPeakMemory(api, () => api.upload('/datasets?format=csv', form));
    const seconds = (performance.now() - began) / 1000;
    if (result.num_rows !== numRows) throw new Error(`the import made ${String(result.num_rows)} of ${numRows} rows`);
    return [{ name: `import of a CSV of ${numRows} rows, ${mebibytes} MiB`, unit: 's', ours: [seconds] }, memory];
  });
}

async function writeFile(path: string, numRows: number): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.write('input,output\n');
    for (let at = 0; at < numRows; at += BATCH) {
      const size = Math.min(BATCH, numRows - at);
      const lines = Array.from({ length: size }, (_, row) => `"${at + row}: ${TEXT}","${TEXT}"\n`);
      await file.write(lines.join(''));
    }
  } finally {
    await file.close();
  }
}
