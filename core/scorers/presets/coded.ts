import type { Preset } from './preset.ts';

/** A program as its author thinks of it. */
export interface CodedPreset extends Pick<Preset, 'name' | 'description' | 'tags' | 'output_type'> {
  /** The record type it looks at; traces when not given. */
  readonly node_type?: string;
  readonly ground_truth?: boolean;
  readonly required_scorers?: readonly string[];
}

/** A preset whose program is the file of its name. */
export function coded({ node_type = 'trace', ground_truth = false, required_scorers, ...given }: CodedPreset): Preset {
  return {
    ...given,
    kind: 'registered',
    definition: { language: 'typescript' },
    program: given.name.replaceAll('_', '-'),
    input_type: null,
    scoreable_node_types: [node_type],
    ground_truth,
    required_scorers: required_scorers ?? null,
  };
}
