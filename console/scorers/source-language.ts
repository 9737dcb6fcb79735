import type { CodeLanguageView } from '../../core/scorers/languages/code-language-view.ts';

/** An installed language, or its id alone where it is not installed any more. */
export type Language = Pick<CodeLanguageView, 'id' | 'label' | 'file_name' | 'starter'>;

/** The language of the version that is gone on from; without one, that which takes unknown files, as the service does. */
export function pickLanguage(languages: readonly CodeLanguageView[], id: string | null | undefined): Language {
  const found = id ? languages.find((one) => one.id === id) : (languages.find((one) => one.takes_unknown_files) ?? languages[0]);
  return found ?? { id: id ?? '', label: `${id ?? 'no language'} (not installed)`, file_name: 'scorer', starter: null };
}

/** The source as the part `file` of a form, and its language beside it. */
export function appendSource(form: FormData, source: string, { id, file_name }: Language): void {
  form.append('file', new File([source], file_name));
  form.append('language', id);
}

/** The line that a message of the sandbox names in the author's own file. */
export function lineIn(message: string): number | undefined {
  const [, line] = /scorer\.[\w-]+:(\d+)/.exec(message) ?? [];
  return line === undefined ? undefined : Number(line);
}
