import type { UserView } from '../../core/access/users/user.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { get } from '../api/client.ts';

export type UserPage = PageFields & { readonly users: readonly UserView[] };

/** The largest page that lists give. */
const LIMIT = 1000;

/** All users, in as few calls as that takes: for choosing one by name. */
export async function allUsers(signal?: AbortSignal): Promise<readonly UserView[]> {
  const users: UserView[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: UserPage = await get<UserPage>('/users', { query: { starting_token: from, limit: LIMIT }, signal });
    users.push(...page.users);
    from = page.next_starting_token;
  }
  return users;
}

/** Full name of a person. */
export const toFullName = (user: { first_name: string | null; last_name: string | null }): string =>
  [user.first_name, user.last_name].filter((part) => part).join(' ');
