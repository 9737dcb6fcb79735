import { underVitest } from '../under-vitest.ts';
import { type CodeLanguageCase, codeLanguageChecks } from './language-checks.ts';

/** Checks of every code-language plugin; a plugin's own test calls it in one line. */
export function codeLanguageKit(given: CodeLanguageCase): void {
  underVitest(codeLanguageChecks(given));
}
