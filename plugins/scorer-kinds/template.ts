/** Variables of a template beside `metadata.<key>`; evaluation of each is a matter of the material. */
export const VARIABLES = [
  'material',
  'input',
  'output',
  'ground_truth',
  'context',
  'tools',
  'conversation',
  'trace',
  'trace_input',
  'trace_output',
] as const;
export type Variable = (typeof VARIABLES)[number] | `metadata.${string}`;

/** Only what looks like a name is a variable: other double braces, as in JSON or code, stand for themselves. */
const PLACE = /\{\{\s*([a-z_]+(?:\.[^{}\s](?:[^{}]*[^{}\s])?)?)\s*\}\}/g;

/** The names between double braces, known or not, each once, in the order of the template. */
export const getVariables = (template: string): string[] => [
  ...new Set([...template.matchAll(PLACE)].map(([, name]) => name as string)),
];

export const isVariable = (name: string): name is Variable =>
  name.startsWith('metadata.') || (VARIABLES as readonly string[]).includes(name);

/** Puts a text at each place, in one pass: what is put in is never looked at again. */
export const fillTemplate = (template: string, toText: (variable: string) => string): string =>
  template.replaceAll(PLACE, (_place, name: string) => toText(name));
