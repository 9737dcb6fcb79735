import { CodeLanguageList, codeLanguageView } from '../../../core/scorers/languages/code-language-view.ts';
import type { CodeLanguages } from '../../../core/scorers/languages/code-languages.ts';
import { type Route, route } from '../route.ts';

interface Deps {
  readonly codeLanguages: CodeLanguages;
}

export const codeLanguageRoutes = ({ codeLanguages }: Deps): Route[] => [
  route({
    method: 'get',
    path: '/v2/code_languages',
    operationId: 'listCodeLanguages',
    summary: 'The installed languages that code scorers may be written in.',
    tag: 'scorers',
    response: CodeLanguageList,
    handle: async () => ({ code_languages: codeLanguages.list().map(codeLanguageView) }),
  }),
];
