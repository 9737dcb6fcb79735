import type { Clock, NewId } from '../../kernel/ports.ts';
import type { AccessStore } from '../access-store.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Caller } from '../caller.ts';
import type { CollaboratorStore } from '../groups/collaborator-store.ts';
import type { GroupStore } from '../groups/group-store.ts';
import type { LoginStore } from '../login/login-store.ts';
import type { ProvisioningStore } from '../provisioning/provisioning-store.ts';
import type { ObjectRef } from '../role.ts';
import type { User } from './user.ts';
import { userNotFound } from './user-rules.ts';

export interface UserRemovalDeps {
  readonly accessStore: AccessStore;
  readonly loginStore: LoginStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly groupStore: GroupStore;
  readonly provisioningStore: Pick<ProvisioningStore, 'remove'>;
  readonly auditTrail: AuditTrail;
  /** Takes away views that nobody but the user could see. */
  readonly savedViewStore: { removePrivateOf(user_id: string): Promise<void> };
  /** Takes away their bookmarks. */
  readonly bookmarkStore: { removeAllOf(user_id: string): Promise<void> };
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Takes a user out of everything that knows them. Objects keep an owner and groups a maintainer: where this was the only
 * one, whoever deletes the user takes their place. What the user made keeps their id.
 */
export class UserRemoval {
  readonly #deps: UserRemovalDeps;

  constructor(deps: UserRemovalDeps) {
    this.#deps = deps;
  }

  /** To be called inside a transaction. What was done is noted last: a note holds the audit log until the transaction ends. */
  async remove(caller: Caller, user: User): Promise<void> {
    const { accessStore, auditTrail, collaboratorStore, groupStore, loginStore, provisioningStore, savedViewStore } = this.#deps;
    const objects = await this.#takeOverObjects(caller, user.id);
    const groups = await this.#takeOverGroups(caller, user.id);
    await collaboratorStore.removeUserEverywhere(user.id);
    await groupStore.removeUserEverywhere(user.id);
    await loginStore.removeRefreshTokensOf(user.id);
    await loginStore.removeCodesOf(user.id);
    await savedViewStore.removePrivateOf(user.id);
    await this.#deps.bookmarkStore.removeAllOf(user.id);
    await provisioningStore.remove('user', user.id);
    if (!(await accessStore.removeUser(user.id))) throw userNotFound(user.id);
    for (const { kind, id } of [...objects, ...groups]) {
      const details = { from: user.id };
      await auditTrail.note(caller, { action: `${kind}.take_over`, object_kind: kind, object_id: id, details });
    }
    const taken = { objects_taken_over: objects.length, groups_taken_over: groups.length };
    const details = { email: user.email, role: user.role, ...taken };
    await auditTrail.note(caller, { action: 'user.delete', object_kind: 'user', object_id: user.id, details });
  }

  async #takeOverObjects(caller: Caller, from: string): Promise<ObjectRef[]> {
    const { collaboratorStore } = this.#deps;
    const objects = await collaboratorStore.holdOwnedAlone(from);
    for (const object of objects) await collaboratorStore.putUsers(object, [{ ...this.#newRow(caller), role: 'owner' }]);
    return objects;
  }

  async #takeOverGroups(caller: Caller, from: string): Promise<{ kind: 'group'; id: string }[]> {
    const { groupStore } = this.#deps;
    const taken: { kind: 'group'; id: string }[] = [];
    for (const group_id of (await groupStore.toGroups(from)).toSorted()) {
      const maintainers = await groupStore.holdMaintainers(group_id);
      if (maintainers.length !== 1 || maintainers[0] !== from) continue;
      await groupStore.putMembers([{ ...this.#newRow(caller), group_id, role: 'maintainer' }]);
      taken.push({ kind: 'group', id: group_id });
    }
    return taken;
  }

  #newRow({ user_id }: Caller) {
    return { id: this.#deps.newId(), user_id, created_at: this.#deps.clock().toISOString() };
  }
}
