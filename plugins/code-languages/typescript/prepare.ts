import { stripTypeScriptTypes } from 'node:module';

/** Codes of Node's own complaints about the text. Any other error means that the parser itself broke. */
const COMPLAINTS: readonly unknown[] = ['ERR_INVALID_TYPESCRIPT_SYNTAX', 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'];

/** The program as JavaScript, every token at its old place. Loaded by the sandbox alone. */
export function prepare(source: string): object {
  try {
    return { source: stripTypeScriptTypes(source) };
  } catch (error) {
    return flawIn(error);
  }
}

/** Deep nesting breaks the parser for good, it fails on every later text too: such a process is worn out. */
function flawIn(error: unknown): object {
  const isComplaint = error instanceof Error && 'code' in error && COMPLAINTS.includes(error.code);
  if (!isComplaint) return { message: 'its types cannot be removed, perhaps it is nested too deeply', worn: true };
  // Node puts the line in front of the stack, as `:12`.
  const line = /^:(\d+)\n/.exec(error.stack ?? '')?.[1];
  return { message: error.message.slice(0, 1_000), ...(line !== undefined && { line: Number(line) }) };
}
