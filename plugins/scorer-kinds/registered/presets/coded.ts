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
export function coded({ node_type = 'trace', ground_truth = false, required_scorers, ...given }: CodedPreset): ScorerPreset {
  return {
    ...given,
    label: presetLabel(given.name),
    definition: { language: 'typescript' },
    files: { source: new URL(`./programs/${given.name.replaceAll('_', '-')}.ts`, import.meta.url) },
    input_type: null,
    scoreable_node_types: [node_type],
    ground_truth,
    required_scorers: required_scorers ?? null,
  };
}
