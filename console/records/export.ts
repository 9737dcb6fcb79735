import type { ExportRequest } from '../../core/traces/read/export.ts';
import { send } from '../api/client.ts';

export type ExportBody = Pick<ExportRequest, 'root_type' | 'export_format' | 'redact'> & Readonly<Record<string, unknown>>;

/** Where lines go as they come. */
interface Sink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}

interface FileHandle {
  createWritable(): Promise<Sink & { abort(): Promise<void> }>;
}

declare global {
  interface Window {
    /** Not in every browser. */
    showSaveFilePicker?(options: { suggestedName: string }): Promise<FileHandle>;
  }
}

/**
 * Writes an export to a file: straight to the disk where the browser can do that, so that it may be larger than memory, else
 * as a download once all of it is here. Returns false when no file was chosen. A reply that breaks off leaves no file.
 */
export async function exportTo(
  project_id: string,
  body: ExportBody,
  file_name: string,
  onProgress: (bytes: number) => void,
): Promise<boolean> {
  const ending = new AbortController();
  const file = await fileFor(file_name);
  if (file === 'none') return false;
  const reply = await send('POST', `/projects/${project_id}/export_records`, { body, signal: ending.signal });
  const out = await file.createWritable();
  try {
    let bytes = 0;
    for await (const chunk of reply.body!) {
      await out.write(chunk);
      bytes += chunk.length;
      onProgress(bytes);
    }
    await out.close();
    return true;
  } catch (error) {
    ending.abort();
    await out.abort().catch(() => undefined);
    throw error;
  }
}

/** To be called from a press of a button: browsers ask for a file only then. */
async function fileFor(suggestedName: string): Promise<FileHandle | 'none'> {
  if (!window.showSaveFilePicker) return downloadNamed(suggestedName);
  try {
    return await window.showSaveFilePicker({ suggestedName });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'none';
    throw error;
  }
}

function downloadNamed(name: string): FileHandle {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  return {
    createWritable: async () => ({
      write: async (bytes) => void parts.push(bytes),
      close: async () => download(new Blob(parts), name),
      abort: async () => undefined,
    }),
  };
}

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has to have begun before its source goes.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
