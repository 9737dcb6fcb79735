import { AppError, type Issue } from '../../kernel/errors.ts';
import { ColumnName } from '../row.ts';
import type { FileLimits } from './file-limits.ts';
import { invalid } from './file-refusal.ts';

const MAX_ISSUES = 100;
const MAX_ECHO = 100;

/** Returns the problem with the name of a column, or undefined. A name of spaces alone is none. */
export function problemOfName(name: string): string | undefined {
  if (name.trim() === '') return 'has no name';
  const parsed = ColumnName.safeParse(name);
  return parsed.success ? undefined : (parsed.error.issues[0]?.message ?? 'is no name for a column');
}

/**
 * The header of a file: every column has a name of its own. Throws AppError `invalid` with every column that has none,
 * or that of another: which of the two would be kept is not ours to choose.
 */
export function checkHeader(names: readonly string[], { max_columns }: FileLimits): void {
  if (names.length > max_columns) throw tooManyColumns(max_columns);
  const first = new Map<string, number>();
  const issues: Issue[] = [];
  for (const [index, name] of names.entries()) {
    const twin = first.get(name);
    const problem = problemOfName(name) ?? (twin === undefined ? undefined : `has the name of column ${twin + 1}`);
    first.set(name, twin ?? index);
    if (problem && issues.length < MAX_ISSUES) issues.push(toIssue(name, index, problem));
  }
  if (issues.length > 0) throw new AppError('invalid', 'file_header_invalid', 'the header of the file is not valid', { issues });
}

const toIssue = (name: string, index: number, problem: string): Issue => ({
  loc: ['body', 'file', 'header', index],
  msg: `column ${index + 1} ${problem}`,
  type: 'file_header_invalid',
  input: name.slice(0, MAX_ECHO),
});

export const tooManyColumns = (max: number): AppError =>
  invalid('file_too_many_columns', `the file has more than ${max} columns`);
