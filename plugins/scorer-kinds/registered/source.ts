import { type DefinitionFile, PluginError, type SentDefinition } from '../../../core/plugin-sdk/index.ts';

/**
 * The program in a file, whatever the file is called: names ending in `ts` tell TypeScript, any other may hold JavaScript.
 * Throws a PluginError when it cannot be source text.
 */
export function programIn({ filename, bytes }: DefinitionFile): SentDefinition {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new PluginError('unsupported', 'the file is not valid UTF-8', { cause });
  }
  if (source.trim() === '') throw new PluginError('unsupported', 'the file is empty');
  if (source.includes('\0')) throw new PluginError('unsupported', 'the file contains a NUL');
  return { language: /\.[cm]?tsx?$/i.test(filename) ? 'typescript' : 'javascript', source };
}

const PYTHON = 'code scorers are written in JavaScript or TypeScript; this is Python';
/** Lines that begin a Python program, and are no JavaScript. */
const PYTHON_LINE =
  /^(?:[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|from[ \t]+[\w.]+[ \t]+import[ \t]|import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*\r?$)/m;

/** Why a program that does not run was refused, for its author. A program that compiles is never asked what it looks like. */
export const toRefusal = (source: string, message: string): string =>
  PYTHON_LINE.test(source) ? `${PYTHON} (${message})` : message;
