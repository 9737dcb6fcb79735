import type { GroupCollaboration, UserCollaboration } from '../../../core/access/groups/collaborator.ts';
import type { CollaboratorStore, Subject } from '../../../core/access/groups/collaborator-store.ts';
import { type CollaboratorRole, highest, type ObjectKind, type ObjectRef } from '../../../core/access/role.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { Collaborations } from './collaborations.ts';

const ROLES_ON = `
select role from user_collaborators where object_kind = $1 and object_id = $2 and user_id = $3
union all
select role from group_collaborators where object_kind = $1 and object_id = $2 and group_id = any($4::uuid[])`;

const ROLES_BY_OBJECT = `
select object_id, role from user_collaborators where object_kind = $1 and user_id = $2
union all
select object_id, role from group_collaborators where object_kind = $1 and group_id = any($3::uuid[])`;

/** Whoever changes the collaborators of an object holds its one row in `shared_objects` until the transaction ends. */
const HOLD = 'select from shared_objects where object_kind = $1 and object_id = $2 for update';

/** Also for an object that has no collaborators yet. */
const HOLD_OR_ADD = `
insert into shared_objects (object_kind, object_id) values ($1, $2)
on conflict (object_kind, object_id) do update set object_kind = excluded.object_kind`;

/** In the order of the key, so that two of these cannot lock each other out. */
const HOLD_OBJECTS_OF = `
select from shared_objects s
where (s.object_kind, s.object_id) in (select object_kind, object_id from user_collaborators where user_id = $1)
order by s.object_kind, s.object_id
for update of s`;

const OWNED_ALONE = `
select object_kind as kind, object_id as id from user_collaborators own
where own.user_id = $1 and own.role = 'owner' and not exists (
  select from user_collaborators other
  where other.object_kind = own.object_kind and other.object_id = own.object_id
    and other.role = 'owner' and other.user_id <> own.user_id
)
order by object_kind, object_id`;

export class PostgresCollaboratorStore implements CollaboratorStore {
  readonly #session: PostgresSession;
  readonly #users: Collaborations<UserCollaboration>;
  readonly #groups: Collaborations<GroupCollaboration>;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
    this.#users = new Collaborations(session, 'user', ({ user_id }) => user_id);
    this.#groups = new Collaborations(session, 'group', ({ group_id }) => group_id);
  }

  async rolesOn({ kind, id }: ObjectRef, { user_id, group_ids }: Subject): Promise<CollaboratorRole[]> {
    const rows = await this.#session.sql<{ role: CollaboratorRole }>(ROLES_ON, [kind, id, user_id, group_ids]);
    return rows.map(({ role }) => role);
  }

  async isShared({ kind, id }: ObjectRef): Promise<boolean> {
    const [row] = await this.#session.sql<{ shared: boolean }>(
      `select exists (select from user_collaborators where object_kind = $1 and object_id = $2)
           or exists (select from group_collaborators where object_kind = $1 and object_id = $2) as shared`,
      [kind, id],
    );
    return row!.shared;
  }

  async rolesByObject(kind: ObjectKind, { user_id, group_ids }: Subject): Promise<Map<string, CollaboratorRole>> {
    const rows = await this.#session.sql<{ object_id: string; role: CollaboratorRole }>(ROLES_BY_OBJECT, [
      kind,
      user_id,
      group_ids,
    ]);
    const byId = Map.groupBy(rows, ({ object_id }) => object_id);
    return new Map([...byId].map(([id, roles]) => [id, highest(roles.map(({ role }) => role))!]));
  }

  /** Waits also for who is about to remove one of the users. */
  putUsers(object: ObjectRef, users: readonly UserCollaboration[]): Promise<UserCollaboration[]> {
    return this.#session.run(async () => {
      await this.#session.sql(HOLD_OR_ADD, [object.kind, object.id]);
      const ids = users.map(({ user_id }) => user_id);
      await this.#session.sql('select from users where id = any($1::uuid[]) order by id for key share', [ids]);
      return this.#users.put(object, users);
    });
  }

  /** Waits also for who is about to remove one of the groups. */
  putGroups(object: ObjectRef, groups: readonly GroupCollaboration[]): Promise<GroupCollaboration[]> {
    return this.#session.run(async () => {
      await this.#session.sql(HOLD_OR_ADD, [object.kind, object.id]);
      const ids = groups.map(({ group_id }) => group_id);
      await this.#session.sql('select from groups where id = any($1::uuid[]) order by id for key share', [ids]);
      return this.#groups.put(object, groups);
    });
  }

  findUser(object: ObjectRef, user_id: string): Promise<UserCollaboration | undefined> {
    return this.#users.find(object, user_id);
  }

  findGroup(object: ObjectRef, group_id: string): Promise<GroupCollaboration | undefined> {
    return this.#groups.find(object, group_id);
  }

  listUsers(object: ObjectRef, slice: Slice): Promise<UserCollaboration[]> {
    return this.#users.list(object, slice);
  }

  listGroups(object: ObjectRef, slice: Slice): Promise<GroupCollaboration[]> {
    return this.#groups.list(object, slice);
  }

  removeUser(object: ObjectRef, user_id: string): Promise<boolean> {
    return this.#holding(object, () => this.#users.remove(object, user_id));
  }

  removeGroup(object: ObjectRef, group_id: string): Promise<boolean> {
    return this.#holding(object, () => this.#groups.remove(object, group_id));
  }

  holdOwners({ kind, id }: ObjectRef): Promise<string[]> {
    return this.#holding({ kind, id }, async () => {
      const rows = await this.#session.sql<{ user_id: string }>(
        `select user_id from user_collaborators where object_kind = $1 and object_id = $2 and role = 'owner' order by user_id`,
        [kind, id],
      );
      return rows.map(({ user_id }) => user_id);
    });
  }

  /**
   * The user's own row is locked too, so that nobody makes them the owner of something new meanwhile; what somebody did
   * before that is held by the second pass. Two of these could meet in it; so one waits until the other is over.
   */
  holdOwnedAlone(user_id: string): Promise<ObjectRef[]> {
    return this.#session.run(async () => {
      await this.#session.sql('select from organizations for no key update');
      await this.#session.sql(HOLD_OBJECTS_OF, [user_id]);
      await this.#session.sql('select from users where id = $1 for update', [user_id]);
      await this.#session.sql(HOLD_OBJECTS_OF, [user_id]);
      return this.#session.sql<ObjectRef>(OWNED_ALONE, [user_id]);
    });
  }

  removeUserEverywhere(user_id: string): Promise<void> {
    return this.#session.run(async () => {
      await this.#session.sql(HOLD_OBJECTS_OF, [user_id]);
      await this.#users.removeEverywhere(user_id);
    });
  }

  removeGroupEverywhere(group_id: string): Promise<void> {
    return this.#groups.removeEverywhere(group_id);
  }

  removeObject(object: ObjectRef): Promise<void> {
    return this.#holding(object, async () => {
      await this.#users.removeAllOf(object);
      await this.#groups.removeAllOf(object);
      await this.#session.sql('delete from shared_objects where object_kind = $1 and object_id = $2', [object.kind, object.id]);
    });
  }

  /** Runs `work` under the lock of an object. It reads the state that the last holder left: its statements begin after that one ended. */
  #holding<T>({ kind, id }: ObjectRef, work: () => Promise<T>): Promise<T> {
    return this.#session.run(async () => {
      await this.#session.sql(HOLD, [kind, id]);
      return work();
    });
  }
}
