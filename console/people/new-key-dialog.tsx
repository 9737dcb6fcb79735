import type { CreatedApiKey } from '../../core/access/api-key.ts';
import type { ApiKeyPurpose, CollaboratorRole } from '../../core/access/role.ts';
import type { UserView } from '../../core/access/users/user.ts';
import { get, post } from '../api/client.ts';
import { parseInstant } from '../audit/audit-query.ts';
import { Choice, type ChoiceOption, named } from '../kit/choice.tsx';
import { Field, TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { allProjects } from '../projects/projects.ts';

const LIMITS: readonly ChoiceOption<CollaboratorRole | ''>[] = [
  { id: '', label: 'Same as mine' },
  'owner',
  { id: 'editor', label: 'editor: change and log' },
  { id: 'annotator', label: 'annotator: read and record feedback' },
  { id: 'viewer', label: 'viewer: read' },
];

const PURPOSES: readonly ChoiceOption<ApiKeyPurpose | ''>[] = [
  { id: '', label: 'Applications and people' },
  { id: 'provisioning', label: 'Provisioning: an identity provider, by SCIM' },
];
const PURPOSE_HELP =
  'A key for provisioning keeps users and groups, and is refused everywhere else. It has neither project nor permissions.';

interface NewKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedApiKey) => void;
}

export function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps) {
  const { value: projects = [], error } = useLoaded('all projects', (signal) => allProjects(signal));
  const me = useLoaded('current_user', (signal) => get<UserView>('/current_user', { signal })).value;
  const mayProvision = me?.role === 'admin';
  return (
    <FormDialog
      title="New API key"
      verb="Create"
      onClose={onClose}
      onSubmit={async (values) => onCreated(await post<CreatedApiKey>('/users/api_keys', getKey(values)))}
    >
      <TextField label="Name" name="description" help="Tells keys apart: the application that uses it, say." required />
      <Failure error={error} />
      <Choice label="Use" name="purpose" choices={mayProvision ? PURPOSES : PURPOSES.slice(0, 1)} help={PURPOSE_HELP} />
      <Choice label="Project" name="project_id" choices={[{ id: '', label: 'all that I see' }, ...projects.map(named)]} />
      <Choice label="Permissions" name="max_role" choices={LIMITS} />
      <Field label="Expires" help="Empty: never.">
        {(id) => <input class="form-control" id={id} name="expires_at" type="datetime-local" />}
      </Field>
    </FormDialog>
  );
}

const getKey = (values: FormData) => ({
  description: values.get('description'),
  project_id: values.get('project_id') || null,
  max_role: values.get('max_role') || null,
  purpose: values.get('purpose') || null,
  expires_at: parseInstant(String(values.get('expires_at') ?? '')) ?? null,
});
