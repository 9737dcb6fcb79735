import { cutToFit } from '../cut.ts';
import { extrasOf, partsOf } from '../material.ts';
import type { Sight } from '../seen-record.ts';
import { fillTemplate, type Variable, variablesOf } from '../template.ts';
import { textOf } from '../variables.ts';
import { type Definition, questionOf } from './definition.ts';
import { marked } from './marks.ts';

/** A question about one record, short of the number of its marks, which is another one in each call. */
export interface Question {
  readonly truncated: boolean;
  text(nonce: string): string;
}

/** The template of a version; a question that names no material gets all of it at its end. */
export function templateOf(definition: Definition): string {
  const question = questionOf(definition);
  return variablesOf(question).length > 0 ? question : `${question}\n\n{{material}}`;
}

/** Answers a text, the reason, when the record has nothing for a variable. */
export function questionAbout(definition: Definition, sight: Sight): Question | string {
  const template = templateOf(definition);
  const variables = variablesOf(template) as Variable[];
  const parts = partsShown(definition);
  const extras = variables.includes('material') ? extrasOf(definition.input_type, sight) : [];
  const found = new Map(extras.map((piece) => [piece.name, piece]));
  for (const name of variables.flatMap((variable) => (variable === 'material' ? parts : [variable]))) {
    const text = textOf(name, sight);
    if (text === undefined) return `the record has nothing for {{${name}}}`;
    found.set(name, { name, text });
  }
  const { pieces, truncated } = cutToFit([...found.values()], definition.max_material_characters);
  const all = [...parts, ...extras.map(({ name }) => name)];
  const show = (variable: string, nonce: string): string => {
    const names = variable === 'material' ? all : [variable];
    return names.map((name) => marked(pieces.find((piece) => piece.name === name)!, nonce)).join('\n');
  };
  return { truncated, text: (nonce) => fillTemplate(template, (variable) => show(variable, nonce)) };
}

/** The variables that `{{material}}` stands for. */
function partsShown({ input_type, ground_truth }: Definition): Exclude<Variable, 'material'>[] {
  return [...partsOf(input_type), ...(ground_truth ? (['ground_truth'] as const) : [])];
}
