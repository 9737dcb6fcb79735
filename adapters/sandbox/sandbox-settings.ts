/** Settings of the sandbox that an operator or a test may change. Defaults: `DEFAULT_SANDBOX_SETTINGS`. */
export interface SandboxSettings {
  /** Processes that run programs at the same time; one more is kept ready. */
  readonly children: number;
  /** Time of one record, and of loading the program, by the clock on the wall. */
  readonly run_ms: number;
  /** How long after `run_ms` a process that has not answered is killed. */
  readonly kill_grace_ms: number;
  /** Heap of an isolate; V8 treats it as a guideline. */
  readonly memory_mb: number;
  /** Resident memory above which a process is killed. */
  readonly rss_mb: number;
  /** The same of a process that runs Python, whose interpreter takes most of it. */
  readonly python_rss_mb: number;
  /** Sum of the limits of all processes that are alive, in MB. */
  readonly total_rss_mb: number;
  /** Isolates that a process makes, one for each program, before a new process takes its place. */
  readonly jobs_per_child: number;
  /** The same of a process that runs Python: its one isolate is put back, and it takes long to start. */
  readonly python_jobs_per_child: number;
  readonly max_source_bytes: number;
  readonly max_record_chars: number;
  /** Records that go to a process at once, by count and by length. */
  readonly chunk_records: number;
  readonly chunk_chars: number;
}

/** The interpreter of programs in a child process. */
export type SandboxEngine = 'javascript' | 'python';

/** A language that becomes JavaScript or Python, or is that already. */
export interface SandboxLanguage {
  readonly id: string;
  /** JavaScript when not given. */
  readonly engine?: SandboxEngine;
  /** Of the name that messages call a program by: `.ts`. */
  readonly extension: string;
  /** The path of a module whose `prepare` makes of a program what the engine runs. */
  readonly preparation?: string;
}

export const DEFAULT_SANDBOX_SETTINGS: SandboxSettings = {
  children: 2,
  run_ms: 500,
  kill_grace_ms: 1_000,
  memory_mb: 64,
  rss_mb: 300,
  python_rss_mb: 500,
  total_rss_mb: 2_000,
  jobs_per_child: 1_000,
  python_jobs_per_child: 20_000,
  max_source_bytes: 256 * 1024,
  max_record_chars: 8_000_000,
  chunk_records: 250,
  chunk_chars: 1_000_000,
};

/** Resident memory in MB above which a process of this engine is killed. */
export const rssLimit = (engine: SandboxEngine, { rss_mb, python_rss_mb }: SandboxSettings): number =>
  engine === 'python' ? python_rss_mb : rss_mb;

/** Programs that a process of this engine runs before a new process takes its place. */
export const jobsLimit = (engine: SandboxEngine, { jobs_per_child, python_jobs_per_child }: SandboxSettings): number =>
  engine === 'python' ? python_jobs_per_child : jobs_per_child;
