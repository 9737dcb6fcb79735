import { MESSAGE_CHARS } from './kernel.ts';

/** How isolated-vm words it. */
const NOT_AN_ERROR = 'An object was thrown from supplied code within isolated-vm';

/**
 * The author's view of an error that isolated-vm copied out. Its stack goes on with files of ours, so of that only the
 * place in the author's file is kept.
 */
export function errorText(error: unknown, file: string): string {
  if (!(error instanceof Error))
    return `the scorer threw ${error === null ? 'null' : `a value of type ${typeof error}`} while it was loaded`;
  if (error.message.startsWith(NOT_AN_ERROR)) return 'the scorer threw an object that is not an Error while it was loaded';
  const message = error.message.replace(/ ?\[(?:scorer\.[\w-]+|<isolated-vm>):\d+:\d+\]$/, '');
  const { line, column } = findErrorPlace(error, file);
  const place = line > 0 ? ` (${file}:${line}${column > 0 ? `:${column}` : ''})` : '';
  return `${error.name}: ${message}`.slice(0, MESSAGE_CHARS - 200).toWellFormed() + place;
}

/** Line and column of the error in the author's file, 0 where unknown. */
export function findErrorPlace(error: unknown, file: string): { line: number; column: number } {
  if (!(error instanceof Error)) return { line: 0, column: 0 };
  const text = `${error.message.slice(-100)}\n${(error.stack ?? '').slice(0, 20_000)}`;
  const found = new RegExp(`${file.replace('.', '\\.')}:(\\d+)(?::(\\d+))?`).exec(text);
  return { line: Number(found?.[1] ?? 0), column: Number(found?.[2] ?? 0) };
}
