import { post } from '../../api/client.ts';
import { Choice, worded } from '../../kit/choice.tsx';
import { commaList } from '../../kit/comma-list.ts';
import { TextField } from '../../kit/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';

const TYPES = worded({
  like_dislike: 'Like or dislike',
  star: 'Stars',
  score: 'Score from 0 to 100',
  tags: 'Tags',
  text: 'Text',
});

interface NewQuestionProps {
  readonly project_id: string;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Makes an annotation template. */
export function NewQuestion({ project_id, onMade, onClose }: NewQuestionProps) {
  const make = async (values: FormData): Promise<void> => {
    const choices = commaList(String(values.get('choices')));
    const [name, annotation_type, instructions] = ['name', 'type', 'instructions'].map((field) => values.get(field));
    await post(`/projects/${project_id}/annotation_templates`, { name, annotation_type, instructions, choices });
    onMade();
  };
  return (
    <FormDialog title="Add field" verb="Create" onClose={onClose} onSubmit={make}>
      <TextField label="Annotation field" name="name" required />
      <Choice label="Answer type" name="type" choices={TYPES} />
      <TextField
        label="Tags to choose from"
        name="choices"
        help="Separated by commas; for tags only, and none lets people write their own."
      />
      <TextField label="Instructions for annotators" name="instructions" />
    </FormDialog>
  );
}
