import type { Group, NewGroup, Visibility } from '../../core/access/groups/group.ts';
import { Choice } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';

const VISIBILITIES: readonly { readonly id: Visibility; readonly label: string }[] = [
  { id: 'private', label: 'private: listed, members come by invitation' },
  { id: 'public', label: 'public: listed, everybody may join' },
  { id: 'protected', label: 'protected: listed, joining needs approval' },
  { id: 'hidden', label: 'hidden: only members know of it' },
];

interface GroupDialogProps {
  readonly title: string;
  readonly verb: string;
  /** The group to change; absent for a new one. */
  readonly group?: Group;
  readonly onClose: () => void;
  readonly onSubmit: (group: NewGroup) => Promise<unknown>;
}

export const GroupDialog = ({ title, verb, group, onClose, onSubmit }: GroupDialogProps) => (
  <FormDialog title={title} verb={verb} onClose={onClose} onSubmit={(values) => onSubmit(toGroup(values))}>
    <TextField label="Name" name="name" value={group?.name ?? ''} required />
    <TextField label="Description" name="description" value={group?.description ?? ''} />
    <Choice label="Visibility" name="visibility" choices={VISIBILITIES} value={group?.visibility ?? 'private'} />
  </FormDialog>
);

const toGroup = (values: FormData): NewGroup => ({
  name: String(values.get('name')),
  description: String(values.get('description')),
  visibility: VISIBILITIES.find(({ id }) => id === values.get('visibility'))?.id ?? 'private',
});
