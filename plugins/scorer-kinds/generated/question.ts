import { cutToFit } from '../cut.ts';
import { toExtras, toParts } from '../material.ts';
import type { Sight } from '../seen-record.ts';
import { fillTemplate, getVariables, type Variable } from '../template.ts';
import { toVariableText } from '../variables.ts';
import { type Definition, getJudgeQuestion } from './definition.ts';
import { delimit } from './delimiters.ts';

/** A question about one record, short of the nonce of its delimiters, which is another one in each call. */
export interface Question {
  readonly truncated: boolean;
  /** Texts of the material, as far as they are shown. */
  readonly shown: readonly string[];
  text(nonce: string): string;
}

/** The template of a version; a question that names no material gets all of it at its end. */
export function getQuestionTemplate(definition: Definition): string {
  const question = getJudgeQuestion(definition);
  return getVariables(question).length > 0 ? question : `${question}\n\n{{material}}`;
}

/** Returns a text, the reason, when the record has nothing for a variable. */
export function questionAbout(definition: Definition, sight: Sight): Question | string {
  const template = getQuestionTemplate(definition);
  const variables = getVariables(template) as Variable[];
  const parts = partsShown(definition);
  const extras = variables.includes('material') ? toExtras(definition.input_type, sight) : [];
  const found = new Map(extras.map((piece) => [piece.name, piece]));
  for (const name of variables.flatMap((variable) => (variable === 'material' ? parts : [variable]))) {
    const text = toVariableText(name, sight);
    if (text === undefined) return `the record has nothing for {{${name}}}`;
    found.set(name, { name, text });
  }
  const { pieces, truncated } = cutToFit([...found.values()], definition.max_material_characters);
  const all = [...parts, ...extras.map(({ name }) => name)];
  const show = (variable: string, nonce: string): string => {
    const names = variable === 'material' ? all : [variable];
    return names.map((name) => delimit(pieces.find((piece) => piece.name === name)!, nonce)).join('\n');
  };
  return {
    truncated,
    shown: pieces.map((piece) => piece.text),
    text: (nonce) => fillTemplate(template, (variable) => show(variable, nonce)),
  };
}

/** The variables that `{{material}}` stands for. */
function partsShown({ input_type, ground_truth }: Definition): Exclude<Variable, 'material'>[] {
  return [...toParts(input_type), ...(ground_truth ? (['ground_truth'] as const) : [])];
}
