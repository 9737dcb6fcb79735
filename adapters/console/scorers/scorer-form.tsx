import type { NewScorer, ScorerType } from '../../../core/scorers/scorer.ts';
import type { Scorer } from '../../../core/scorers/scorer-view.ts';
import { Choice, worded } from '../kit/choice.tsx';
import { Field, TextField } from '../kit/field.tsx';
import { INPUT_WORDS, NODE_TYPES, OUTPUT_WORDS } from './words.ts';

type ScorerFields = Pick<
  NewScorer,
  'name' | 'description' | 'tags' | 'output_type' | 'input_type' | 'scoreable_node_types' | 'ground_truth'
>;

const UNDECLARED = { id: '', label: 'not declared' };

interface ScorerFormProps {
  readonly scorer_type: ScorerType;
  /** What is there already. */
  readonly scorer?: Scorer;
}

/** What a scorer is, whatever its versions are. */
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
    <Choice label="Says" name="output_type" choices={[UNDECLARED, ...worded(OUTPUT_WORDS)]} value={scorer?.output_type ?? ''} />
    {scorer_type !== 'code' && (
      <Choice label="Sees" name="input_type" choices={[UNDECLARED, ...worded(INPUT_WORDS)]} value={scorer?.input_type ?? ''} />
    )}
    <div class="form-check">
      <input
        class="form-check-input"
        type="checkbox"
        id="truth"
        name="ground_truth"
        defaultChecked={scorer?.ground_truth === true}
      />
      <label class="form-check-label" for="truth">
        May see the right answer of the dataset row
      </label>
    </div>
  </>
);

export const NodeTypes = ({ chosen }: { chosen: readonly string[] }) => (
  <fieldset class="mb-3">
    <legend class="form-label fs-6">Judges</legend>
    <div class="d-flex flex-wrap gap-3">
      {NODE_TYPES.map((type) => (
        <label key={type} class="form-check mb-0">
          <input class="form-check-input" type="checkbox" name="types" value={type} defaultChecked={chosen.includes(type)} />
          <span class="form-check-label">{type}</span>
        </label>
      ))}
    </div>
  </fieldset>
);

/** What the form says, as the API takes it. What is empty is null: it stays as it is. */
export function fieldsOf(values: FormData): ScorerFields {
  const text = (name: string): string | null => (values.get(name) as string | null) || null;
  return {
    name: text('name') ?? '',
    description: (values.get('description') as string | null) ?? '',
    tags: tagsIn(text('tags') ?? ''),
    output_type: text('output_type') as ScorerFields['output_type'],
    input_type: text('input_type') as ScorerFields['input_type'],
    scoreable_node_types: values.getAll('types') as NonNullable<ScorerFields['scoreable_node_types']>,
    ground_truth: values.get('ground_truth') === 'on',
  };
}

const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
