import type { ScorerKindPlugin } from '../../../core/plugin-sdk/index.ts';
import { pascal } from '../schema-names.ts';

/** The paths of a kind. Below the first one that it had before, operations are named by the label of the kind. */
export const getNames = ({
  id,
  label,
  former_paths = [],
}: Pick<ScorerKindPlugin, 'id' | 'label' | 'former_paths'>): (readonly [path: string, name: string])[] => [
  [id, pascal(id)],
  ...former_paths.filter((path) => path !== id).map((path, at) => [path, at === 0 ? label : pascal(path)] as const),
];
