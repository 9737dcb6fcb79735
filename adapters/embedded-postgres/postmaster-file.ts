import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What a server writes into its cluster's postmaster.pid while it runs. */
export interface PostmasterFile {
  readonly pid: number;
  /** Absent in the first moments of a start. */
  readonly port: number | undefined;
}

const NAME = 'postmaster.pid';
const PORT_LINE = 3;

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(cluster, NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return text === undefined ? undefined : parsePostmasterFile(text);
}

/** Undefined when the text holds no process id: the server was killed between creating and filling the file. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n');
  const pid = positiveNumber(lines[0]);
  return pid === undefined ? undefined : { pid, port: positiveNumber(lines[PORT_LINE]) };
}

/** For a file whose server is proven to be gone; PostgreSQL itself refuses when its process id belongs to somebody else now. */
export async function removePostmasterFile(cluster: string): Promise<void> {
  await rm(join(cluster, NAME), { force: true });
}

/** A stand-alone backend marks its process id with a minus sign. */
function positiveNumber(line: string | undefined): number | undefined {
  const number = Math.abs(Number.parseInt(line ?? '', 10));
  return number > 0 ? number : undefined;
}
