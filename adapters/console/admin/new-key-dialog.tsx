import type { CreatedApiKey } from '../../../core/access/api-key.ts';
import type { CollaboratorRole } from '../../../core/access/role.ts';
import { post } from '../api/client.ts';
import { Field, TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { instantOf } from './audit-query.ts';
import { allProjects } from './projects.ts';

const LIMITS: readonly (readonly [CollaboratorRole | '', string])[] = [
  ['', 'what I may'],
  ['owner', 'owner'],
  ['editor', 'editor: change and log'],
  ['annotator', 'annotator: read and record feedback'],
  ['viewer', 'viewer: read'],
];

interface NewKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedApiKey) => void;
}

export function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps) {
  const { value: projects = [], error } = useLoaded('all projects', (signal) => allProjects(signal));
  return (
    <FormDialog
      title="New API key"
      verb="Create"
      onClose={onClose}
      onSubmit={async (values) => onCreated(await post<CreatedApiKey>('/users/api_keys', keyOf(values)))}
    >
      <TextField label="For what" name="description" help="Tells keys apart: the application that uses it, say." required />
      <Failure error={error} />
      <Field label="Project">
        {(id) => (
          <select class="form-select" id={id} name="project_id">
            <option value="">all that I see</option>
            {projects.map((project) => (
              <option key={project.id} value={project.id}>
                {project.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="May do at most">
        {(id) => (
          <select class="form-select" id={id} name="max_role">
            {LIMITS.map(([role, meaning]) => (
              <option key={role} value={role}>
                {meaning}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Expires" help="Empty: never.">
        {(id) => <input class="form-control" id={id} name="expires_at" type="datetime-local" />}
      </Field>
    </FormDialog>
  );
}

const keyOf = (values: FormData) => ({
  description: values.get('description'),
  project_id: values.get('project_id') || null,
  max_role: values.get('max_role') || null,
  expires_at: instantOf(String(values.get('expires_at') ?? '')) ?? null,
});
