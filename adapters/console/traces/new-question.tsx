import { post } from '../api/client.ts';
import { Field, TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { tagsIn } from './ratings.ts';

const TYPES = [
  { value: 'like_dislike', label: 'Like or dislike' },
  { value: 'star', label: 'Stars' },
  { value: 'score', label: 'Score from 0 to 100' },
  { value: 'tags', label: 'Tags' },
  { value: 'text', label: 'Text' },
] as const;

interface NewQuestionProps {
  readonly project_id: string;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Makes an annotation template. */
export function NewQuestion({ project_id, onMade, onClose }: NewQuestionProps) {
  const make = async (values: FormData): Promise<void> => {
    const choices = tagsIn(String(values.get('choices')));
    const [name, annotation_type, instructions] = ['name', 'type', 'instructions'].map((field) => values.get(field));
    await post(`/projects/${project_id}/annotation_templates`, { name, annotation_type, instructions, choices });
    onMade();
  };
  return (
    <FormDialog title="New question" verb="Create" onClose={onClose} onSubmit={make}>
      <TextField label="Question" name="name" required />
      <Field label="Answered with">
        {(id) => (
          <select class="form-select" id={id} name="type">
            {TYPES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label="Tags to choose from"
        name="choices"
        help="Separated by commas; for tags only, and none lets people write their own."
      />
      <TextField label="What to tell those who answer" name="instructions" />
    </FormDialog>
  );
}
