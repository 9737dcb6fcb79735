import { defineCodeLanguage } from '../../../core/plugin-sdk/index.ts';
import { javaScript } from '../look-alike.ts';

const STARTER = `/** Whether the answer is polite. Gets each record as the API shows it; says true, false, a number, a text or a list. */
function scorer(record, { required, ground_truth }) {
  return /please|thank/i.test(JSON.stringify(record.output));
}
`;

/** Runs in the sandbox of the host as it is. */
export const javascript = defineCodeLanguage({
  id: 'javascript',
  sdk: 1,
  stability: 'stable',
  label: 'JavaScript',
  summary: 'A function called scorer, or the default export of a module.',
  extensions: ['.js', '.mjs', '.cjs', '.jsx'],
  content_types: ['text/javascript', 'application/javascript'],
  takes_unknown_files: true,
  starter: STARTER,
  create: javaScript,
});
