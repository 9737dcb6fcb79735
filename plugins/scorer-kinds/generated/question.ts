import { cutToFit } from '../cut.ts';
import { extrasOf, type Piece, partsOf } from '../material.ts';
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
  const wanted = [...new Set(variables.flatMap((name) => (name === 'material' ? materialParts(definition) : [name])))];
  const extras = variables.includes('material') ? extrasOf(definition.input_type, sight) : [];
  const found: Piece[] = [];
  for (const name of wanted) {
    const text = textOf(name, sight);
    if (text === undefined) return `the record has nothing for {{${name}}}`;
    found.push({ name, text });
  }
  const { pieces, truncated } = cutToFit([...found, ...extras], definition.max_material_characters);
  const own = new Map(pieces.slice(0, found.length).map((piece) => [piece.name, piece]));
  const material = [...materialParts(definition).flatMap((name) => own.get(name) ?? []), ...pieces.slice(found.length)];
  const piecesOf = (name: string): readonly Piece[] => (name === 'material' ? material : [own.get(name)!]);
  return {
    truncated,
    text: (nonce) =>
      fillTemplate(template, (name) =>
        piecesOf(name)
          .map((piece) => marked(piece, nonce))
          .join('\n'),
      ),
  };
}

function materialParts({ input_type, ground_truth }: Definition): Exclude<Variable, 'material'>[] {
  return [...partsOf(input_type), ...(ground_truth ? (['ground_truth'] as const) : [])];
}
