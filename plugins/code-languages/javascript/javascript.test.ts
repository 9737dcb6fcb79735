import { codeLanguageKit } from '../../../plugin-kit/code-language/code-language.kit.ts';
import { javascriptKit } from './kit.ts';

codeLanguageKit(javascriptKit);
