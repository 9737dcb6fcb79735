import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { ZstdParquetFile } from '../../adapters/parquet/zstd-parquet-file.ts';
import type { ParquetColumn, ParquetFile, ParquetRow } from '../../core/data-export/parquet-file.ts';
import { RUN_RATING_COLUMNS } from '../../core/data-export/rating-columns.ts';
import { RECORD_COLUMNS } from '../../core/data-export/record-columns.ts';
import { RowGroups } from '../../core/data-export/row-groups.ts';
import { RUN_SCORE_COLUMNS } from '../../core/data-export/score-columns.ts';
import { CommandError } from './command-error.ts';
import { type ExportedLine, toRatingRows, toRecordRow, toScoreRows } from './parquet-rows.ts';
import type { Place } from './places.ts';
import type { ServiceClient } from './service-client.ts';
import { Progress, type Terminal } from './terminal.ts';

const KINDS = { records: RECORD_COLUMNS, scores: RUN_SCORE_COLUMNS, ratings: RUN_RATING_COLUMNS } as const;
type Kind = keyof typeof KINDS;

export interface ParquetExported {
  readonly folder: string;
  readonly files: number;
  readonly records: number;
  readonly scores: number;
  readonly ratings: number;
}

const LEVELS = ['trace', 'span', 'session'] as const;
/** Rows of a row group, and about as many bytes of what was sent: they are in memory as they are. */
const GROUP_BOUNDS = { max_rows: 500, max_weight: 2 * 1024 * 1024 } as const;
/** Encoded bytes of a file, which is in memory until it is whole. */
const FILE_BYTES = 32 * 1024 * 1024;

/**
 * Writes a run as it stands now to a folder: records, the scores of traces, spans and sessions, and the ratings, by project and day as the export of the service has them. Files of
 * the same run that an earlier call left are replaced, so a call that failed is repeated; other runs beside it stay.
 */
export async function exportParquet(
  client: ServiceClient,
  { project_id, run }: Place,
  { folder, redact }: { readonly folder: string; readonly redact: boolean },
  terminal: Terminal,
): Promise<ParquetExported> {
  const run_id = Object.values(run)[0] as string;
  const files = new RunFiles(join(folder, `project=${project_id}`), run_id);
  const progress = new Progress(terminal, 'records');
  let read = 0;
  try {
    for (const root_type of LEVELS) {
      const sort = { column_id: 'created_at', ascending: true };
      const json = { ...run, root_type, export_format: 'jsonl', sort, redact };
      const res = await client.open('POST', `/v2/projects/${project_id}/export_records`, { json });
      if (!res.body) throw new CommandError('the service sent nothing');
      for await (const text of createInterface({ input: Readable.fromWeb(res.body as never), crlfDelay: Infinity })) {
        if (text === '') continue;
        const line = JSON.parse(text) as ExportedLine;
        const day = line.created_at.slice(0, 'yyyy-mm-dd'.length);
        if (root_type !== 'session') files.add('records', day, [toRecordRow(line)], text.length);
        files.add('scores', day, toScoreRows(line), 0);
        files.add('ratings', day, toRatingRows(line), 0);
        read += 1;
        progress.at(read);
      }
      files.endDay();
    }
    const written = files.finish();
    return { folder, ...written };
  } finally {
    progress.end();
  }
}

/** Files of one run, written day by day under names that nobody reads, and named at the end. */
class RunFiles {
  readonly #folder: string;
  readonly #run_id: string;
  readonly #open = new Map<Kind, OpenFile>();
  /** Paths as they were written, and as they are read. */
  readonly #written: { readonly from: string; readonly to: string }[] = [];
  readonly #rows = { records: 0, scores: 0, ratings: 0 };

  constructor(folder: string, run_id: string) {
    this.#folder = folder;
    this.#run_id = run_id;
  }

  add(kind: Kind, day: string, rows: readonly ParquetRow[], num_bytes: number): void {
    if (rows.length === 0) return;
    const open = this.#open.get(kind);
    if (open && (open.day !== day || open.num_bytes > FILE_BYTES)) this.#end(kind, open);
    const file = this.#open.get(kind) ?? new OpenFile(KINDS[kind], day);
    this.#open.set(kind, file);
    file.add(rows, num_bytes);
    this.#rows[kind] += rows.length;
  }

  endDay(): void {
    for (const [kind, file] of [...this.#open]) this.#end(kind, file);
  }

  /** Names the files, and removes those of this run that an earlier export wrote and this one did not. */
  finish(): { files: number; records: number; scores: number; ratings: number } {
    this.endDay();
    for (const { from, to } of this.#written) renameSync(from, to);
    const kept = new Set(this.#written.map(({ to }) => relative(this.#folder, to)));
    for (const name of this.#list()) if (!kept.has(name)) rmSync(join(this.#folder, name));
    return { files: kept.size, ...this.#rows };
  }

  /** Files of this run: whole ones, and those that a call which failed has left. */
  #list(): string[] {
    const isOwn = (name: string): boolean => /\.parquet(\.part)?$/.test(name) && name.includes(`-${this.#run_id}-`);
    return this.#written.length === 0 && !exists(this.#folder)
      ? []
      : (readdirSync(this.#folder, { recursive: true }) as string[]).filter(isOwn);
  }

  #end(kind: Kind, file: OpenFile): void {
    this.#open.delete(kind);
    const number = this.#written.length + 1;
    const to = join(this.#folder, `day=${file.day}`, `${kind}-${this.#run_id}-${String(number).padStart(6, '0')}.parquet`);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    writeFileSync(`${to}.part`, file.finish(), { mode: 0o600 });
    this.#written.push({ from: `${to}.part`, to });
  }
}

function exists(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** A file of one day. */
class OpenFile {
  readonly day: string;
  readonly #file: ParquetFile;
  readonly #groups: RowGroups;

  constructor(columns: readonly ParquetColumn[], day: string) {
    this.day = day;
    this.#file = new ZstdParquetFile(columns);
    this.#groups = new RowGroups(this.#file, GROUP_BOUNDS);
  }

  get num_bytes(): number {
    return this.#file.num_bytes;
  }

  add(rows: readonly ParquetRow[], num_bytes: number): void {
    this.#groups.add(rows, num_bytes);
  }

  finish(): Uint8Array {
    return this.#groups.finish();
  }
}
