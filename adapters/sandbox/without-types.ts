import { stripTypeScriptTypes } from 'node:module';
import type { Program } from '../../core/scorers/scoring/code-sandbox.ts';
import type { Reply } from './protocol.ts';

/** Codes of Node's own complaints about the text. Any other error means that the parser itself broke. */
const COMPLAINTS: readonly unknown[] = ['ERR_INVALID_TYPESCRIPT_SYNTAX', 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'];

/** The program as JavaScript, every token at its old place. */
export function withoutTypes({ language, source }: Program): { source: string; failed?: Reply } {
  if (language === 'javascript') return { source };
  try {
    return { source: stripTypeScriptTypes(source) };
  } catch (error) {
    return { source: '', failed: refusal(error) };
  }
}

/** Deep nesting breaks the parser for good, it fails on every later text too: such a process is worn out. */
function refusal(error: unknown): Reply {
  const worn = !(error instanceof Error && 'code' in error && COMPLAINTS.includes(error.code));
  const message = worn ? 'its types cannot be removed, perhaps it is nested too deeply' : complaint(error as Error);
  return { kind: 'program', outcome: { kind: 'refused', message: `the scorer does not compile: ${message}` }, worn };
}

/** Node puts the line in front of the stack, as `:12`. */
function complaint({ message, stack }: Error): string {
  const line = /^:(\d+)\n/.exec(stack ?? '')?.[1];
  return `${message.slice(0, 1_000)}${line ? ` (scorer.ts:${line})` : ''}`;
}
