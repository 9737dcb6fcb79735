import type { Group, NewGroup, Visibility } from '../../../core/access/group.ts';
import { Field, TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';

const VISIBILITIES: readonly (readonly [Visibility, string])[] = [
  ['private', 'private: listed, members come by invitation'],
  ['public', 'public: listed, everybody may join'],
  ['protected', 'protected: listed, joining needs approval'],
  ['hidden', 'hidden: only members know of it'],
];

interface GroupDialogProps {
  readonly title: string;
  readonly verb: string;
  /** What there is to change; a new group without it. */
  readonly group?: Group;
  readonly onClose: () => void;
  readonly onSubmit: (group: NewGroup) => Promise<unknown>;
}

export const GroupDialog = ({ title, verb, group, onClose, onSubmit }: GroupDialogProps) => (
  <FormDialog title={title} verb={verb} onClose={onClose} onSubmit={(values) => onSubmit(groupOf(values))}>
    <TextField label="Name" name="name" value={group?.name ?? ''} required />
    <TextField label="Description" name="description" value={group?.description ?? ''} />
    <Field label="Visibility">
      {(id) => (
        <select class="form-select" id={id} name="visibility" value={group?.visibility ?? 'private'}>
          {VISIBILITIES.map(([visibility, meaning]) => (
            <option key={visibility} value={visibility}>
              {meaning}
            </option>
          ))}
        </select>
      )}
    </Field>
  </FormDialog>
);

const groupOf = (values: FormData): NewGroup => ({
  name: String(values.get('name')),
  description: String(values.get('description')),
  visibility: VISIBILITIES.find(([visibility]) => visibility === values.get('visibility'))?.[0] ?? 'private',
});
