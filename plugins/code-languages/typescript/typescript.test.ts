import { codeLanguageKit } from '../../../plugin-kit/code-language/code-language.kit.ts';
import { typescriptKit } from './kit.ts';

codeLanguageKit(typescriptKit);
