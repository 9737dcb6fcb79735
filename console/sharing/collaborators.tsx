import { TableHeaders } from '../kit/table-headers.tsx';
import '../styles/admin.css';
import type { CollaboratorRole } from '../../core/access/role.ts';
import { patch, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Table } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { RoleSelect } from './role-select.tsx';

/** Strongest first, as the API tells what they may do. */
export const ROLES: readonly CollaboratorRole[] = ['owner', 'editor', 'annotator', 'viewer'];

/** A user or group that an object is shared with. */
export interface Collaborator {
  /** Of the user or group itself. */
  readonly id: string;
  readonly name: string;
  readonly role: CollaboratorRole;
  readonly created_at: string;
}

interface CollaboratorsProps {
  readonly kind: 'User' | 'Group';
  /** Where the collaborators of this kind are, as `/projects/…/users`. */
  readonly path: string;
  readonly collaborators: readonly Collaborator[];
  /** Whether the caller may change them; else they are shown alone. */
  readonly mayShare: boolean;
  readonly onChanged: () => void;
}

export function Collaborators({ kind, path, collaborators, mayShare, onChanged }: CollaboratorsProps) {
  if (collaborators.length === 0) return <p class="text-body-secondary">Shared with no {kind.toLowerCase()}.</p>;
  return (
    <Table class="table table-hover table-rows table-controls collaborators">
      <TableHeaders of={[kind, 'Role', 'Added']} actions={mayShare} />
      <tbody>
        {collaborators.map((one) => (
          <tr key={one.id}>
            <td>{one.name}</td>
            <td>
              <RoleSelect
                label={`Role of ${one.name}`}
                role={one.role}
                roles={ROLES}
                fixed={!mayShare}
                onChange={async (role) => {
                  await patch(`${path}/${one.id}`, { role });
                  onChanged();
                }}
              />
            </td>
            <td>
              <Time at={one.created_at} />
            </td>
            {mayShare && (
              <td class="text-end">
                <ConfirmButton
                  label="Remove"
                  question={`${one.name} will no longer see this, unless it is shared with them in another way.`}
                  onConfirm={async () => {
                    await remove(`${path}/${one.id}`);
                    onChanged();
                  }}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
