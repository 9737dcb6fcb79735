import { toSandboxLanguage } from '../../config/code-languages.ts';
import { CODE_LANGUAGES } from '../../config/plugins.ts';

/** The code languages of the repository, as the sandbox knows them. */
export const builtInLanguages = CODE_LANGUAGES.map(toSandboxLanguage);
