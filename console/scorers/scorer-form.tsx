import type { NewScorer } from '../../core/scorers/scorer.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { Check } from '../kit/check.tsx';
import { Choice, worded } from '../kit/choice.tsx';
import { commaList } from '../kit/comma-list.ts';
import { Field, TextField } from '../kit/field.tsx';
import { INPUT_WORDS, NODE_TYPES, OUTPUT_WORDS } from './words.ts';

type ScorerFields = Pick<
  NewScorer,
  'name' | 'description' | 'tags' | 'output_type' | 'input_type' | 'scoreable_node_types' | 'ground_truth'
>;

const UNDECLARED = { id: '', label: 'Unspecified' };

interface ScorerFormProps {
  readonly scorer_type: string;
  /** The existing scorer; absent for a new one. */
  readonly scorer?: Scorer;
}

/** Fields of a scorer that do not depend on its versions. */
export const ScorerForm = ({ scorer_type, scorer }: ScorerFormProps) => (
  <>
    <TextField label="Name" name="name" required value={scorer?.name ?? ''} help="Scores are found by this name." />
    <Field label="Description">
      {(id) => <textarea class="form-control" id={id} name="description" rows={2} defaultValue={scorer?.description ?? ''} />}
    </Field>
    <Field label="Tags" help="Separated by commas.">
      {(id) => <input class="form-control" id={id} name="tags" defaultValue={scorer?.tags.join(', ') ?? ''} />}
    </Field>
    <NodeTypes chosen={scorer ? (scorer.scoreable_node_types ?? []) : ['trace']} />
    <Choice
      label="Output type"
      name="output_type"
      choices={[UNDECLARED, ...worded(OUTPUT_WORDS)]}
      value={scorer?.output_type ?? ''}
    />
    {scorer_type !== 'code' && (
      <Choice label="Input" name="input_type" choices={[UNDECLARED, ...worded(INPUT_WORDS)]} value={scorer?.input_type ?? ''} />
    )}
    <Check name="ground_truth" label="Use ground truth" checked={scorer?.ground_truth === true} />
  </>
);

export const NodeTypes = ({ chosen }: { chosen: readonly string[] }) => (
  <fieldset class="mb-3">
    <legend class="form-label fs-6">Evaluates</legend>
    <div class="d-flex flex-wrap gap-3">
      {NODE_TYPES.map((type) => (
        <Check key={type} class="mb-0" name="types" value={type} label={type} checked={chosen.includes(type)} />
      ))}
    </div>
  </fieldset>
);

/** Reads the form into the fields of the API. An empty field is null: it stays as it is. */
export function readScorerFields(values: FormData): ScorerFields {
  const text = (name: string): string | null => (values.get(name) as string | null) || null;
  return {
    name: text('name') ?? '',
    description: (values.get('description') as string | null) ?? '',
    tags: commaList(text('tags') ?? ''),
    output_type: text('output_type') as ScorerFields['output_type'],
    input_type: text('input_type') as ScorerFields['input_type'],
    scoreable_node_types: values.getAll('types') as NonNullable<ScorerFields['scoreable_node_types']>,
    ground_truth: values.get('ground_truth') === 'on',
  };
}
