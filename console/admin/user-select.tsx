import { Choice } from '../kit/choice.tsx';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { allUsers, toFullName } from './users.ts';

/** Chooses a user; arrives in the form as `user_id`. */
export function UserSelect() {
  const { value: users = [], error } = useLoaded('all users', (signal) => allUsers(signal));
  return (
    <>
      <Failure error={error} />
      <Choice
        label="User"
        name="user_id"
        required
        choices={users.map((user) => ({ id: user.id, label: [user.email, toFullName(user)].filter((part) => part).join(' · ') }))}
      />
    </>
  );
}
