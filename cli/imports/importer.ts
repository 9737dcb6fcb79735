import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../commands/command-error.ts';
import type { ImportTally } from './import-report.ts';
import { numbered } from './prompt-versions.ts';
import { toRowId, toTraceId } from './record-ids.ts';
import { type ExportFile, inflated, listFiles } from './rows/open-file.ts';
import { readRows } from './rows/read-rows.ts';
import type { DatasetRow, ImportTarget } from './sending/target.ts';
import type { Imported, ImportedLabel, ImportedPrompt, ImportedRow, ImportedScore, Product } from './shapes.ts';
import { SourceRow } from './source-row.ts';
import { Spool } from './spool.ts';
import { SpanReading } from './to-record.ts';
import { canRate, type OfTrace, toRating, toTrace } from './to-trace.ts';

export interface ImportOptions {
  readonly paths: readonly string[];
  /** The dataset that rows belong to which name none. */
  readonly dataset?: string | undefined;
  /** Told how far it is: bytes read, then traces built. */
  onProgress(what: string, done: number, total?: number): void;
  readonly signal?: AbortSignal | undefined;
}

interface Spools {
  readonly traces: Spool<OfTrace>;
  readonly rows: Spool<ImportedRow>;
  /** Scores that name a span and no trace, and where spans are: brought together by the id of the span. */
  readonly loose: Spool<
    ImportedScore | { readonly kind: 'place'; readonly source_span: string; readonly trace_id: string; readonly span_id: string }
  >;
}

/** Compressed columns become many times as much text. */
const PARQUET_GROWTH = 8;
/** Rows of a dataset that are held in memory; those of a larger one are read as they are sent. */
const MAX_ROWS_HELD = 1_000;

/**
 * Reads exports twice: once row by row into spools on the disk, where what belongs to one trace comes together wherever it stood, then
 * part by part into the target. What is in memory does not grow with the files. The spools lie in the folder for temporary
 * files, readable by this user alone, and are removed at the end.
 */
export class Importer {
  readonly #product: Product;
  readonly #target: ImportTarget;
  readonly #tally: ImportTally;
  readonly #options: ImportOptions;
  readonly #prompts = new Map<string, ImportedPrompt[]>();
  readonly #labels: ImportedLabel[] = [];
  readonly #datasets = new Map<string, string>();
  readonly #sessionScores: ImportedScore[] = [];

  constructor(product: Product, target: ImportTarget, tally: ImportTally, options: ImportOptions) {
    this.#product = product;
    this.#target = target;
    this.#tally = tally;
    this.#options = options;
  }

  async run(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-import-'));
    try {
      const files = await listFiles(this.#options.paths);
      const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
      const spools: Spools = {
        traces: new Spool(folder, 'traces', bytes),
        rows: new Spool(folder, 'rows', bytes),
        loose: new Spool(folder, 'loose', bytes),
      };
      for (const file of files) await this.#readFile(file, folder, spools);
      for (const spool of Object.values(spools)) await spool.flush();
      await this.#joinLoose(spools);
      await this.#sendTraces(spools.traces);
      await this.#sendSessionScores();
      await this.#sendRows(spools.rows);
      for (const versions of this.#prompts.values()) await this.#target.prompt(numbered(versions, this.#labels));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #readFile(file: ExportFile, folder: string, spools: Spools): Promise<void> {
    this.#tally.beginFile(file.name);
    const plain = await inflated(file, folder);
    const leaveOut = (what: string): void => this.#tally.leftOut(what);
    for await (const read of readRows(plain)) {
      if (this.#options.signal?.aborted) throw new CommandError('stopped; the same command goes on where this one was');
      this.#options.onProgress(file.name, read.bytes, plain.bytes);
      if ('problem' in read) {
        this.#tally.row();
        this.#tally.notUnderstood(read.problem, read.where);
        continue;
      }
      for (const one of this.#product.expand(read.row)) {
        this.#tally.row();
        const row = new SourceRow(one);
        const place = read.where.slice(file.name.length);
        const items = this.#product.map(row, { file: file.name, place, dataset: this.#options.dataset, leaveOut });
        if (items === undefined) this.#tally.notUnderstood(describeUnknown(row), read.where);
        else {
          for (const name of row.kept) this.#tally.keptAsMetadata(name);
          for (const item of items) await this.#keep(item, spools);
        }
      }
    }
    if (plain !== file) await rm(plain.path);
  }

  async #keep(item: Imported, spools: Spools): Promise<void> {
    if (item.kind === 'prompt') addTo(this.#prompts, item.name, item);
    else if (item.kind === 'label') this.#labels.push(item);
    else if (item.kind === 'dataset') this.#datasets.set(item.key, item.name);
    else if (item.kind === 'row') await spools.rows.add(item.dataset, item);
    else if (item.kind === 'score' && item.trace_id === undefined) {
      if (item.source_span !== undefined) await spools.loose.add(item.source_span, item);
      else this.#sessionScores.push(item);
    } else await spools.traces.add(item.trace_id!, item);
    if (item.kind === 'span' && this.#product.hasLooseScores) {
      const { source_id: source_span, trace_id, span_id } = item;
      await spools.loose.add(source_span, { kind: 'place', source_span, trace_id, span_id });
    }
  }

  async #joinLoose({ loose, traces }: Spools): Promise<void> {
    for (let part = 0; part < loose.parts; part += 1) {
      const places = new Map<string, { readonly trace_id: string; readonly span_id: string }>();
      const scores: ImportedScore[] = [];
      for await (const item of loose.read(part)) {
        if (item.kind === 'place') places.set(item.source_span, item);
        else scores.push(item);
      }
      for (const score of scores) {
        const place = places.get(score.source_span!);
        if (place === undefined) this.#tally.leftOut(NOWHERE);
        // A root whose id is that of its trace stands for the trace.
        else if (toTraceId(this.#product.id, score.source_span!) === place.trace_id)
          await traces.add(place.trace_id, { ...score, trace_id: place.trace_id });
        else await traces.add(place.trace_id, { ...score, trace_id: place.trace_id, span_id: place.span_id });
      }
    }
    await traces.flush();
  }

  async #sendTraces(spool: Spool<OfTrace>): Promise<void> {
    const reading = new SpanReading();
    for (let part = 0; part < spool.parts; part += 1) {
      this.#options.onProgress('parts sent', part, spool.parts);
      const byTrace = new Map<string, OfTrace[]>();
      for await (const item of spool.read(part)) addTo(byTrace, item.trace_id!, item);
      for (const items of byTrace.values()) {
        if (this.#options.signal?.aborted) throw new CommandError('stopped; the same command goes on where this one was');
        await this.#sendTrace(items, reading);
      }
    }
    await this.#target.flush();
  }

  async #sendTrace(items: readonly OfTrace[], reading: SpanReading): Promise<void> {
    if (items.every(({ kind }) => kind === 'score')) {
      for (const _ of items) this.#tally.leftOut(NOWHERE);
      return;
    }
    const built = toTrace(items, reading);
    for (const what of built.left_out) this.#tally.leftOut(what);
    const session_id = built.session === undefined ? undefined : await this.#target.session(built.session);
    await this.#target.trace(built, session_id);
  }

  async #sendSessionScores(): Promise<void> {
    for (const score of this.#sessionScores) {
      if (!canRate(score)) this.#tally.leftOut('a score of a session that is no whole number from 0 to 100');
      else await this.#target.rate(toRating(await this.#target.session(score.session!), score));
    }
    await this.#target.flush();
  }

  async #sendRows(spool: Spool<ImportedRow>): Promise<void> {
    for (let part = 0; part < spool.parts; part += 1) {
      const counts = new Map<string, number>();
      for await (const { dataset } of spool.read(part)) counts.set(dataset, (counts.get(dataset) ?? 0) + 1);
      const isLarge = (key: string): boolean => counts.get(key)! > MAX_ROWS_HELD;
      const small = new Map<string, ImportedRow[]>();
      for await (const row of spool.read(part)) if (!isLarge(row.dataset)) addTo(small, row.dataset, row);
      for (const [key, rows] of small) await this.#sendDataset(key, toDatasetRows(key, rows));
      // Few have so many rows: only these are looked for in the whole part.
      for (const key of counts.keys()) if (isLarge(key)) await this.#sendDataset(key, toDatasetRows(key, spool.read(part)));
    }
  }

  #sendDataset(key: string, rows: AsyncIterable<DatasetRow>): Promise<void> {
    return this.#target.rows(this.#datasets.get(key) ?? key, rows);
  }
}

const NOWHERE = 'a score of a record that is not among the files';

/** Of this dataset. */
async function* toDatasetRows(key: string, rows: Iterable<ImportedRow> | AsyncIterable<ImportedRow>): AsyncGenerator<DatasetRow> {
  for await (const { dataset, source_id, values } of rows)
    if (dataset === key) yield { row_id: toRowId(dataset, source_id), values };
}

function addTo<V>(lists: Map<string, V[]>, key: string, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

const sizeOf = ({ name, bytes }: ExportFile): number => (/\.(parquet|gz)$/i.test(name) ? bytes * PARQUET_GROWTH : bytes);

const MAX_SHOWN = 12;

function describeUnknown({ names }: SourceRow): string {
  const shown = names.slice(0, MAX_SHOWN).map((name) => name.slice(0, 64));
  return `a row with ${shown.join(', ') || 'nothing in it'}${names.length > MAX_SHOWN ? ', …' : ''}`;
}
