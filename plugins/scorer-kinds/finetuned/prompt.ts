import type { InputType } from '../../../core/plugin-sdk/index.ts';
import { cutToFit } from '../cut.ts';
import type { Piece } from '../material.ts';
import type { Sight } from '../seen-record.ts';
import { fillTemplate, getVariables, type Variable } from '../template.ts';
import { toVariableText } from '../variables.ts';
import type { Definition } from './definition.ts';

type Named = Exclude<Variable, 'material'>;

interface Show {
  readonly as: InputType;
  /** Parts of `{{material}}`, each under a title. */
  readonly parts: readonly (readonly [Named, title: string])[];
}

const SHOWN: Readonly<Record<Definition['luna_input_type'], Show>> = {
  span: {
    as: 'basic',
    parts: [
      ['input', 'Input'],
      ['output', 'Output'],
    ],
  },
  trace_object: { as: 'trace_normalized', parts: [['trace', 'Trace']] },
  trace_input_output_only: {
    as: 'trace_io_only',
    parts: [
      ['trace_input', 'Input'],
      ['trace_output', 'Output'],
    ],
  },
};

export interface Filled {
  readonly text: string;
  readonly truncated: boolean;
}

/** A prompt that names no material gets all of it at its end. */
export const getPromptTemplate = ({ prompt }: Definition): string =>
  getVariables(prompt).length > 0 ? prompt : `${prompt}\n\n{{material}}`;

export const getInputType = ({ luna_input_type }: Definition): InputType => SHOWN[luna_input_type].as;

/** The variables that have to be filled, with what `{{material}}` stands for. */
export function listWanted(definition: Definition): Named[] {
  const parts = SHOWN[definition.luna_input_type].parts.map(([name]) => name);
  return [
    ...new Set(
      (getVariables(getPromptTemplate(definition)) as Variable[]).flatMap((name) => (name === 'material' ? parts : [name])),
    ),
  ];
}

/** The prompt for one record, without marks: the model was trained on texts as they are. A text is the reason why there is none. */
export function promptFor(definition: Definition, sight: Sight): Filled | string {
  const found: Piece[] = [];
  for (const name of listWanted(definition)) {
    const text = toVariableText(name, sight);
    if (text === undefined) return `the record has nothing for {{${name}}}`;
    found.push({ name, text });
  }
  const { pieces, truncated } = cutToFit(found, definition.max_material_characters);
  const texts = new Map(pieces.map(({ name, text }) => [name, text]));
  const titled = SHOWN[definition.luna_input_type].parts.map(([name, title]) => `${title}:\n${texts.get(name)}`);
  const fill = (name: string): string => (name === 'material' ? titled.join('\n\n') : texts.get(name)!);
  return { text: fillTemplate(getPromptTemplate(definition), fill), truncated };
}
