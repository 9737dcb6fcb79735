import { AppError } from '../../kernel/errors.ts';
import { isCleanText } from '../../kernel/text.ts';
import type { Program } from '../scoring/code-sandbox.ts';

/** An uploaded source file: its name may tell the language, its bytes have to be UTF-8. */
export interface SourceFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/**
 * The program in a file, whatever the file is called: names ending in `ts` tell TypeScript, any other may hold JavaScript.
 * Rejects with AppError `invalid` what cannot be source text.
 */
export function toProgram({ filename, bytes }: SourceFile): Program {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw codeRefused('the file is not valid UTF-8', cause);
  }
  if (source.trim() === '') throw codeRefused('the file is empty');
  if (!isCleanText(source)) throw codeRefused('the file contains a NUL');
  return { language: /\.[cm]?tsx?$/i.test(filename) ? 'typescript' : 'javascript', source };
}

const PYTHON = 'code scorers are written in JavaScript or TypeScript; this is Python';
/** Lines that begin a Python program, and are no JavaScript. */
const PYTHON_LINE =
  /^(?:[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|from[ \t]+[\w.]+[ \t]+import[ \t]|import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*\r?$)/m;

/** Why a program that does not run was refused, for its author. A program that compiles is never asked what it looks like. */
export const toSourceRefusal = (source: unknown, message: string): string =>
  typeof source === 'string' && PYTHON_LINE.test(source) ? `${PYTHON} (${message})` : message;

export const codeRefused = (msg: string, cause?: unknown): AppError =>
  new AppError('invalid', 'code_refused', msg, { cause, issues: [{ loc: ['body', 'file'], msg, type: 'code_refused' }] });
