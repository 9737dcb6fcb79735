import { codeLanguageKit } from '../../../plugin-kit/code-language/code-language.kit.ts';
import { pythonKit } from './kit.ts';

codeLanguageKit(pythonKit);
