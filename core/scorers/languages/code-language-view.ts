import { z } from 'zod';
import type { CodeLanguagePlugin } from '../../plugin-sdk/index.ts';

/** A code language as the API shows it: what one has to know to write a scorer in it. */
export const CodeLanguageView = z
  .object({
    id: z.string().describe('What `code_language` of versions holds, and the form field `language` may.'),
    label: z.string(),
    summary: z.string(),
    stability: z.enum(['experimental', 'stable', 'deprecated']),
    extensions: z.array(z.string()).describe('Ends of file names that tell the language.'),
    content_types: z.array(z.string()).describe('Media types that tell it where the name does not.'),
    takes_unknown_files: z.boolean().describe('Whether it takes files of which neither name nor type tell a language.'),
    file_name: z.string().describe('What messages call a program, and a file of it may be called.'),
    starter: z.string().nullable().describe('What a new program may begin with.'),
  })
  .meta({ id: 'CodeLanguage' });
export type CodeLanguageView = z.output<typeof CodeLanguageView>;

export const CodeLanguageList = z.object({ code_languages: z.array(CodeLanguageView) }).meta({ id: 'CodeLanguageList' });

export function codeLanguageView(plugin: CodeLanguagePlugin): CodeLanguageView {
  const { id, label, summary, stability, extensions, content_types = [], takes_unknown_files = false, starter = null } = plugin;
  return {
    ...{ id, label, summary, stability, takes_unknown_files, starter },
    extensions: [...extensions],
    content_types: [...content_types],
    file_name: `scorer${extensions[0]}`,
  };
}
