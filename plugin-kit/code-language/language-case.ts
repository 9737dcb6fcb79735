import type { CodeInput, CodeLanguagePlugin, CodeOutcome } from '../../core/plugin-sdk/index.ts';

/** Forbidden attempts, each shown by one program of the language. */
export interface CodeAttempts {
  /** Fails on its own account, with these words in the message; `line` where the place is known. */
  readonly throws: { readonly source: string; readonly says: string; readonly line?: number };
  /** Does not end. */
  readonly hangs: string;
  /** Takes memory without end. */
  readonly floods: string;
  /** Gives a string of more than 100,000 characters. */
  readonly shouts: string;
  /** Gives what is no value: NaN, infinity, nothing, an object, itself. One program for each. */
  readonly gives_no_value: readonly string[];
  /** Keeps a count where a later call might see it, and gives the count: 1 in each fresh call. */
  readonly counts: string;
  /** Changes the record, and the next to come where it can. */
  readonly changes: string;
  /** Tries to end the process. */
  readonly exits: string;
  /** Tries to open this URL, to read this file, and to read the environment variable `TOUCHSTONE_CANARY`; gives what it finds. */
  readonly reaches: (url: string, path: string) => readonly string[];
}

/** Facts that the kit needs to try a code language. */
export interface CodeLanguageCase {
  readonly plugin: CodeLanguagePlugin;
  /** The plugin's folder. */
  readonly folder: string;
  /** A program, records for it, and what is expected of each. */
  readonly source: string;
  readonly records: readonly CodeInput[];
  readonly expected: readonly CodeOutcome[];
  /** Has a mistake of syntax in this line. */
  readonly broken: { readonly source: string; readonly line: number };
  /** Is right in its syntax, but no scorer; where the language has a signature for one. */
  readonly unsigned?: string;
  readonly attempts: Partial<CodeAttempts>;
  /** The attempts that no program of the language can make: a language without loops cannot hang. */
  readonly lacks?: readonly (keyof CodeAttempts)[];
}

export const ATTEMPTS = [
  'throws',
  'hangs',
  'floods',
  'shouts',
  'gives_no_value',
  'counts',
  'changes',
  'exits',
  'reaches',
] as const satisfies readonly (keyof CodeAttempts)[];
