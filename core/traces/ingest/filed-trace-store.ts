import { decorate } from '../../kernel/decorate.ts';
import { AppError } from '../../kernel/errors.ts';
import type { LogRecord } from '../record.ts';
import type { RecordBatch, TraceStore } from '../trace-store.ts';
import type { FileIntake } from './file-intake.ts';
import { mayHaveFiles } from './record-files.ts';

/** Ends a change of a record that brought content along, which has to be kept first. */
class ContentFound extends Error {
  readonly record: LogRecord;

  constructor(record: LogRecord) {
    super('the record holds the content of files');
    this.record = record;
  }
}

const nothing = (): void => {};

/**
 * The store of records with files in place of content that stands in them, whatever the route: images, sound and documents are
 * kept once, and records name them. Around the one that masks: what is no text is not masked.
 */
export const filedTraceStore = (store: TraceStore, intake: FileIntake): TraceStore =>
  decorate(store, {
    write: (batch) => (batch.records.some(mayHaveFiles) ? writeFiled(store, intake, batch) : store.write(batch)),
    amend: async (project_id, run_id, id, change, score) => {
      let kept: ReadonlyMap<string, string> = new Map();
      const changeFiled = (record: LogRecord): LogRecord => {
        const changed = change(record);
        return namesFiles(changed)
          ? intake.change(changed, kept, () => {
              if (kept.size === 0) throw new ContentFound(changed);
            })
          : changed;
      };
      const amended = await store.amend(project_id, run_id, id, changeFiled, score).catch(async (error: unknown) => {
        if (!(error instanceof ContentFound)) throw error;
        kept = await intake.keepContent(project_id, run_id, error.record);
        return store.amend(project_id, run_id, id, changeFiled, score);
      });
      if (amended) await intake.refer(project_id, run_id, [amended]);
      return amended;
    },
    /** Records that a change brings content to wait until it is kept: they are changed after the others. */
    amendAll: async (project_id, run_id, ids, change, score) => {
      const waiting = new Map<string, LogRecord>();
      const changeUnlessWaiting = (record: LogRecord): LogRecord | undefined => {
        waiting.delete(record.id);
        const changed = change(record);
        if (!changed || !namesFiles(changed)) return changed;
        const filed = intake.change(changed, new Map(), () => waiting.set(record.id, changed));
        return waiting.has(record.id) ? undefined : filed;
      };
      const amended = await store.amendAll(project_id, run_id, ids, changeUnlessWaiting, score);
      if (waiting.size > 0) {
        const kept = new Map<string, string>();
        for (const record of waiting.values())
          for (const entry of await intake.keepContent(project_id, run_id, record)) kept.set(...entry);
        const changeFiled = (record: LogRecord): LogRecord | undefined => {
          const changed = change(record);
          return changed && namesFiles(changed) ? intake.change(changed, kept, nothing) : changed;
        };
        amended.push(...(await store.amendAll(project_id, run_id, [...waiting.keys()], changeFiled, score)));
      }
      await intake.refer(project_id, run_id, amended);
      return amended;
    },
  });

const namesFiles = (record: LogRecord): boolean => mayHaveFiles(record) || record.attributes.file_ids !== undefined;

async function writeFiled(store: TraceStore, intake: FileIntake, batch: RecordBatch): ReturnType<TraceStore['write']> {
  const { project_id, run_id } = batch;
  const records = await intake.keep(project_id, run_id, batch.records);
  try {
    return await store.write({ ...batch, records });
  } catch (error) {
    // Of a write whose outcome is unknown the records may be in.
    if (error instanceof AppError && error.code !== 'database_unavailable') await intake.forget(project_id, run_id, records);
    throw error;
  }
}
