export type Language = 'javascript' | 'typescript';

const TYPES =
  /^[ \t]*(?:export[ \t]+)?(?:interface[ \t]+\w+|type[ \t]+\w+\s*=)|[\w)]\??:\s*(?:string|number|boolean|unknown|any|readonly|Record<)\b/m;

/** What a source looks like to be written in: versions do not tell. */
export const getLanguage = (source: string): Language => (TYPES.test(source) ? 'typescript' : 'javascript');

/** The service tells the language by the end of the file's name. */
export const getFileName = (language: Language): string => (language === 'typescript' ? 'scorer.ts' : 'scorer.js');

/** The line that a message of the sandbox names in the author's own file. */
export function lineIn(message: string): number | undefined {
  const [, line] = /scorer\.[jt]s:(\d+)/.exec(message) ?? [];
  return line === undefined ? undefined : Number(line);
}

/** What a new scorer begins with. */
export const FIRST_SOURCE = `/** Whether the answer is polite. Gets each record as the API shows it; says true, false, a number, a text or a list. */
function scorer(record, { required, ground_truth }) {
  return /please|thank/i.test(JSON.stringify(record.output));
}
`;
