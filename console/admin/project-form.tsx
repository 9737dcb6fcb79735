import type { Project } from '../../core/projects/project.ts';
import { put } from '../api/client.ts';
import { Field, TextField } from '../kit/field.tsx';
import { SettingsForm } from './settings-form.tsx';

interface ProjectFormProps {
  readonly project: Project;
  readonly mayChange: boolean;
  readonly onSaved: () => void;
}

export const ProjectForm = ({ project, mayChange, onSaved }: ProjectFormProps) => (
  <SettingsForm
    title="Name and description"
    mayChange={mayChange}
    onSubmit={async (values) => {
      await put(`/projects/${project.id}`, { name: values.get('name'), description: values.get('description') });
      onSaved();
    }}
  >
    <TextField label="Name" name="name" value={project.name} required />
    <Field label="Description">
      {(id) => <textarea class="form-control" id={id} name="description" rows={2} value={project.description ?? ''} />}
    </Field>
  </SettingsForm>
);
