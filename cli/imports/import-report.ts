/** Named counts: of what is kept as metadata, left out, or refused. */
export type Counts = Readonly<Record<string, number>>;

export const ARRIVALS = [
  'traces',
  'spans',
  'scores',
  'ratings',
  'sessions',
  'datasets',
  'rows',
  'prompts',
  'prompt_versions',
  'labels',
] as const;
export type Arrival = (typeof ARRIVALS)[number];

export interface ImportReport {
  readonly product: string;
  readonly dry_run: boolean;
  readonly files: readonly { readonly file: string; readonly rows: number }[];
  /** Things that are in the service now; of a dry run, that would be. */
  readonly arrived: Readonly<Record<Arrival, number>>;
  /** Rows of datasets and versions of prompts that an earlier run had brought. */
  readonly there_before: Counts;
  /** Fields without a place of their own, by name: they are in the metadata of their record. */
  readonly kept_as_metadata: Counts;
  /** Things that have no place in the service, and repeat nothing that has. */
  readonly left_out: Counts;
  /** Rows that could not be read, by why. */
  readonly not_understood: Counts;
  /** Things that the service did not take, by why. */
  readonly refused: Counts;
  /** The first places of what was not understood or refused. */
  readonly examples: readonly string[];
}

const MAX_NAMES = 1_000;
const MAX_EXAMPLES = 20;
const OTHERS = 'others';

const KINDS = ['there_before', 'kept_as_metadata', 'left_out', 'not_understood', 'refused'] as const;
type Kind = (typeof KINDS)[number];

/** Gathers the report of one import. */
export class ImportTally {
  readonly #files: { file: string; rows: number }[] = [];
  readonly #arrived = Object.fromEntries(ARRIVALS.map((name) => [name, 0])) as Record<Arrival, number>;
  readonly #counts = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as Record<Kind, Map<string, number>>;
  readonly #examples: string[] = [];

  beginFile(file: string): void {
    this.#files.push({ file, rows: 0 });
  }

  row(): void {
    this.#files.at(-1)!.rows += 1;
  }

  arrived(what: Arrival, count = 1): void {
    this.#arrived[what] += count;
  }

  thereBefore(what: Arrival, count: number): void {
    if (count > 0) add(this.#counts.there_before, what, count);
  }

  keptAsMetadata(field: string): void {
    add(this.#counts.kept_as_metadata, field);
  }

  leftOut(what: string): void {
    add(this.#counts.left_out, what);
  }

  notUnderstood(why: string, where: string): void {
    add(this.#counts.not_understood, why);
    this.#example(`${where}: ${why}`);
  }

  refused(why: string, what: string): void {
    add(this.#counts.refused, why);
    this.#example(`${what}: ${why}`);
  }

  report(product: string, dry_run: boolean): ImportReport {
    const counts = Object.entries(this.#counts).map(([kind, map]) => [kind, Object.fromEntries(map)]);
    return {
      product,
      dry_run,
      files: this.#files,
      arrived: { ...this.#arrived },
      ...(Object.fromEntries(counts) as Record<Kind, Counts>),
      examples: this.#examples,
    };
  }

  #example(text: string): void {
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push(text);
  }
}

/** Names are the sender's: beyond so many they are one. */
function add(map: Map<string, number>, name: string, count = 1): void {
  const key = map.has(name) || map.size < MAX_NAMES ? name : OTHERS;
  map.set(key, (map.get(key) ?? 0) + count);
}

/** Whether something of the files is not in the service that was meant to be. */
export const isIncomplete = ({ not_understood, refused }: ImportReport): boolean =>
  Object.keys(not_understood).length > 0 || Object.keys(refused).length > 0;

/** The report for people. */
export function describeReport({ arrived, dry_run, files, examples, ...counts }: ImportReport): string {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const numbers = ARRIVALS.filter((name) => arrived[name] > 0).map((name) => `${arrived[name]} ${name.replace('_', ' ')}`);
  const came = numbers.length === 0 ? 'nothing' : numbers.join(', ');
  return [
    `${rows} rows of ${files.length} ${files.length === 1 ? 'file' : 'files'}: ${came}${dry_run ? ' would come; nothing was sent' : ''}`,
    ...list('there before', counts.there_before),
    ...list('kept as metadata', counts.kept_as_metadata),
    ...list('left out', counts.left_out),
    ...list('not understood', counts.not_understood),
    ...list('refused', counts.refused),
    ...examples.map((example) => `  ${example}`),
  ].join('\n');
}

const list = (title: string, counts: Counts): string[] => {
  const entries = Object.entries(counts).sort(([, one], [, other]) => other - one);
  return entries.length === 0 ? [] : [`${title}: ${entries.map(([name, count]) => `${name} (${count})`).join(', ')}`];
};
