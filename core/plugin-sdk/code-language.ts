import type { PluginHead, PluginHost } from './plugin.ts';
import type { CodeInput, CodeOutcome } from './scorer-kind.ts';

/** Error in a program, for its author. */
export interface CodeFlaw {
  readonly message: string;
  /** Where, counted from 1; the host names the place behind the message. */
  readonly line?: number;
  readonly column?: number;
}

/** Limits of a program. A language holds to these, and the host sees to it where it can. */
export interface CodeLimits {
  /** Milliseconds for one record, and for loading the program. */
  readonly run_ms: number;
  readonly memory_mb: number;
  readonly source_bytes: number;
  /** Of a string that a program gives, and of a list of them together. */
  readonly value_chars: number;
  readonly list_items: number;
  readonly message_chars: number;
}

/** Untrusted JavaScript in a process of its own, of which each call gets a fresh isolate: no files, no network, no state that stays. */
export interface HostSandbox {
  /** Why the program cannot be run: it does not compile, or defines no `scorer`; undefined when it can. */
  check(source: string): Promise<CodeFlaw | undefined>;
  /** One outcome per record, in order. Rejects when the call is aborted or the sandbox itself is broken, which a plugin MUST let pass. */
  run(source: string, inputs: readonly CodeInput[]): Promise<CodeOutcome[]>;
}

/** A program, and for whom it is looked at. */
export interface CodeCall {
  readonly source: string;
  readonly limits: CodeLimits;
  /** Aborted when nobody waits any more: then the call ends at once, and rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Whose program it is: languages with processes of their own share them in turns over projects, then over scorers. */
  readonly project_id: string;
  readonly scorer_id: string;
  /** For languages that become JavaScript by their `preparation`. */
  readonly sandbox: HostSandbox;
}

export interface CodeRun extends CodeCall {
  readonly inputs: readonly CodeInput[];
  /**
   * To be told each outcome as soon as it is there, in order, where a run takes longer than a moment: what it returns is the outcome of
   * all records that are still to come, which are not run any more. The sandbox of the host does so by itself.
   */
  readonly stopAfter: (outcome: CodeOutcome) => CodeOutcome | undefined;
}

export interface CodeLanguage {
  /** Syntax and signature of a program, without any record of a user. Gives undefined when nothing is wrong. */
  check(call: CodeCall): Promise<CodeFlaw | undefined>;
  /**
   * One outcome per record, in order. What the program does wrong is an outcome: it never rejects because of a program. No record
   * changes the outcome of another one, no call sees another call, and no program reaches files, network or the process.
   */
  run(call: CodeRun): Promise<CodeOutcome[]>;
  /** Ends what it has started; later calls may reject. */
  close?(): Promise<void>;
}

/** A program as the sandbox runs it, or why there is none. `worn`: the process that looked at it is not to be used again. */
export type PreparedCode = { readonly source: string } | (CodeFlaw & { readonly worn?: boolean });

/**
 * Type of `prepare`, exported by the module of a `preparation`. Lines of its result are lines of its source. Lines of
 * what it gives are lines of what it is given.
 */
export type Prepare = (source: string) => PreparedCode;

/** A language that code scorers may be written in. Versions store its id, and are run by it ever after: another edition gets another id. */
export interface CodeLanguagePlugin extends PluginHead {
  readonly kind: 'code_language';
  /** The name to show. */
  readonly label: string;
  /** Ends of file names that tell it, in lower case with the dot. Messages call a program `scorer` and the first of them. */
  readonly extensions: readonly [string, ...string[]];
  /** Media types that tell it where the name of a file does not. */
  readonly content_types?: readonly string[];
  /** Whether it takes files whose name and type tell no installed language; at most one does. */
  readonly takes_unknown_files?: boolean;
  /** Initial source of a new program in an editor. */
  readonly starter?: string;
  /** The engine of the host's sandbox that runs its programs, `javascript` when not given. Python is CPython with its standard library. */
  readonly engine?: 'javascript' | 'python';
  /**
   * A file URL of one module without imports of its own, whose `prepare` makes JavaScript, or what `engine` says, of a program. It reads what nobody trusts, so
   * it is loaded and run in the process of the sandbox, with its limits, and nowhere else.
   */
  readonly preparation?: URL;
  /** Starts nothing. Called once. */
  create(host: PluginHost): CodeLanguage;
}

export function defineCodeLanguage(plugin: Omit<CodeLanguagePlugin, 'kind'>): CodeLanguagePlugin {
  return Object.freeze({ ...plugin, kind: 'code_language' as const });
}

/** A language that the sandbox of the host runs, as it is or by its `preparation`. */
export const sandboxedLanguage = (): CodeLanguage => ({
  check: ({ source, sandbox }) => sandbox.check(source),
  run: ({ source, inputs, sandbox }) => sandbox.run(source, inputs),
});
