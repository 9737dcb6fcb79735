/** Where a command reads its environment, and writes. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results: standard output. */
  out(text: string): void;
  /** Tells a person alone: standard error. */
  err(text: string): void;
  /** Whether a person watches standard error, so that progress is worth showing. */
  readonly isWatched: boolean;
  /** Ends whatever waits; set by Ctrl-C. */
  readonly signal?: AbortSignal;
}

export const processTerminal = (signal?: AbortSignal): Terminal => ({
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isWatched: process.stderr.isTTY === true,
  ...(signal && { signal }),
});

const WIDTH = 24;
const REDRAW_MS = 100;

/** One line on standard error that is drawn again, where a person watches. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #what: string;
  #drawn = 0;

  constructor(terminal: Terminal, what: string) {
    this.#terminal = terminal;
    this.#what = what;
  }

  /** Without a total the count alone is shown. */
  at(done: number, total?: number): void {
    const now = Date.now();
    if (!this.#terminal.isWatched || (now - this.#drawn < REDRAW_MS && done !== total)) return;
    this.#drawn = now;
    this.#terminal.err(`\r\u001b[K${this.#what} ${total === undefined ? done : bar(done, total)}`);
  }

  end(): void {
    if (this.#drawn > 0) this.#terminal.err('\r\u001b[K');
  }
}

/** Runs `work`, and shows how far it is meanwhile. */
export async function withProgress<T>(
  terminal: Terminal,
  what: string,
  work: (at: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const progress = new Progress(terminal, what);
  try {
    return await work((done, total) => progress.at(done, total));
  } finally {
    progress.end();
  }
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.min(WIDTH, Math.floor((done / total) * WIDTH));
  return `[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${done}/${total}`;
}

/** Rows in columns as wide as their widest cell. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** One line without control characters, which text of others could move the cursor by. */
export function toLine(value: unknown, length = 100): string {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = text.slice(0, length * 4).replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain;
}
