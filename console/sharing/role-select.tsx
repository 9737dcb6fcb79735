import { Choice } from '../kit/choice.tsx';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';

interface RoleSelectProps<R extends string> {
  /** Whose role, for those who do not see the row. */
  readonly label: string;
  readonly role: R;
  readonly roles: readonly R[];
  /** Shown as a word, not to be changed. */
  readonly fixed?: boolean;
  readonly onChange: (role: R) => Promise<unknown>;
}

/** A role within a table, changed at once; a refusal is told below it and the old role stays. */
export function RoleSelect<R extends string>({ label, role, roles, fixed = false, onChange }: RoleSelectProps<R>) {
  const change = useAction(onChange);
  if (fixed) return <>{role}</>;
  return (
    <>
      <select
        class="form-select form-select-sm w-auto"
        aria-label={label}
        value={role}
        disabled={change.busy}
        onChange={({ currentTarget }) => {
          const chosen = roles.find((one) => one === currentTarget.value);
          currentTarget.value = role;
          if (chosen) void change.run(chosen);
        }}
      >
        {roles.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <Failure error={change.error} />
    </>
  );
}

/** Chooses a role within a form, by the name `role`. */
export const RoleField = ({ roles }: { roles: readonly string[] }) => <Choice label="Role" name="role" choices={roles} />;
