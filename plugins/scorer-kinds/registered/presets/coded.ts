import type { ScorerPreset } from '../../../../core/plugin-sdk/index.ts';
import { presetLabel } from '../../preset-label.ts';

/** A program as its author thinks of it. */
export interface CodedPreset extends Pick<ScorerPreset, 'name' | 'description' | 'tags' | 'output_type'> {
  /** The record type it looks at; traces when not given. */
  readonly node_type?: string;
  readonly ground_truth?: boolean;
  readonly required_scorers?: readonly string[];
}

/** A preset whose program is the file of its name. */
export const coded = (preset: CodedPreset): ScorerPreset =>
  made(preset, { language: 'typescript', file: `./programs/${toFileName(preset.name)}.ts` });

/** The twin of a preset, in Python: it gives the same values for the same records. */
export const codedInPython = (preset: CodedPreset): ScorerPreset =>
  made(
    { ...preset, name: `${preset.name}_python`, description: preset.description.replace(/\.$/, '; written in Python.') },
    { language: 'python', file: `./python-programs/${toFileName(preset.name)}.py` },
  );

const toFileName = (name: string): string => name.replaceAll('_', '-');

function made(
  { node_type = 'trace', ground_truth = false, required_scorers, ...given }: CodedPreset,
  { language, file }: { readonly language: string; readonly file: string },
): ScorerPreset {
  return {
    ...given,
    label: presetLabel(given.name),
    definition: { language },
    files: { source: new URL(file, import.meta.url) },
    input_type: null,
    scoreable_node_types: [node_type],
    ground_truth,
    required_scorers: required_scorers ?? null,
  };
}
