import { Field } from '../kit/field.tsx';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { allUsers, nameOf } from './users.ts';

/** Chooses a user; arrives in the form as `user_id`. */
export function UserSelect() {
  const { value: users = [], error } = useLoaded('all users', (signal) => allUsers(signal));
  return (
    <>
      <Failure error={error} />
      <Field label="User">
        {(id) => (
          <select class="form-select" id={id} name="user_id" required>
            {users.map((user) => (
              <option key={user.id} value={user.id}>
                {[user.email, nameOf(user)].filter((part) => part).join(' · ')}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}
