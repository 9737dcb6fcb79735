import { defineCodeLanguage } from '../../../core/plugin-sdk/index.ts';
import { javaScript } from '../look-alike.ts';

const STARTER = `interface Answered {
  output: unknown;
}

/** Whether the answer is polite. Gets each record as the API shows it; says true, false, a number, a text or a list. */
function scorer(record: Answered): boolean {
  return /please|thank/i.test(JSON.stringify(record.output));
}
`;

/** Runs in the sandbox of the host once its types are removed, in the sandbox too. */
export const typescript = defineCodeLanguage({
  id: 'typescript',
  sdk: 1,
  stability: 'stable',
  label: 'TypeScript',
  summary: 'A function called scorer, or the default export of a module, with types that can be left out.',
  extensions: ['.ts', '.mts', '.cts', '.tsx'],
  content_types: ['text/typescript', 'application/typescript'],
  starter: STARTER,
  preparation: new URL(import.meta.url.endsWith('.ts') ? './prepare.ts' : './prepare.js', import.meta.url),
  create: javaScript,
});
