import type { CodeInput, CodeOutcome, CodeProgram } from '../../plugin-sdk/index.ts';

/** Source text of a scorer, as its author uploaded it, and the installed language that makes JavaScript of it. */
export type Program = CodeProgram;

/** A record as JSON text; with it, where given, the JSON text of what the program is told besides. */
export type SandboxInput = CodeInput;

/**
 * Outcome of one run over one record. `refused` means that the program was never run: it does not compile or defines no
 * scorer. `message` is written for the author, at most 2,000 characters, with line numbers where known.
 */
export type Outcome = CodeOutcome;

/** Whose run it is, and when it is over. */
export interface SandboxUse {
  /** Processes are shared in turns over these, then over scorers. */
  readonly project_id: string;
  readonly scorer_id: string;
  /** Aborted: the run ends at once and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told each outcome of a run; what it returns is the outcome of all records that are still to come, which are not run. */
  verdictAfter?(outcome: Outcome): Outcome | undefined;
}

/**
 * Runs code that nobody trusts.
 *
 * The program, once its language has prepared it, is JavaScript that defines `function scorer(record, context)`, or exports it as
 * default; both are the parsed JSON texts. Without a context of its own a record gets `{ required: {}, ground_truth: null }`. It
 * returns a finite number, a boolean, a string or an array of these; a promise that settles without I/O is awaited.
 */
export interface CodeSandbox {
  /**
   * One outcome per record, in order. Records of one call may share an isolate; calls never do. A record that hangs,
   * floods the memory or ends the process that runs it MUST NOT change the outcome of another record, and no outcome
   * may hold anything of the host. Rejects only when the sandbox itself is broken or the signal is aborted, never because
   * of the program. Runs of one project MUST NOT keep those of another one from their turn, whatever they do.
   */
  run(program: Program, records: readonly SandboxInput[], use: SandboxUse): Promise<Outcome[]>;
  /** Ends all processes. Runs under way resolve or reject; later calls reject. */
  close(): Promise<void>;
}
