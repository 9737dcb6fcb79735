import { AppError } from '../../kernel/errors.ts';

/** Where in a file: rows of data count from 1, without the header; lines count from 1. */
export interface FilePlace {
  readonly row?: number | undefined;
  readonly cause?: unknown;
}

/** Why a whole file is not taken. */
export function invalid(code: string, msg: string, { row, cause }: FilePlace = {}): AppError {
  const loc = row === undefined ? ['body', 'file'] : ['body', 'file', row];
  return new AppError('invalid', code, msg, { issues: [{ loc, msg, type: code }], cause });
}
