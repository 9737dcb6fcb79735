import type { AccessStore } from './access-store.ts';
import type { Authorizer } from './authorizer.ts';

const NOBODY_ASKS = { request_id: '', address: '' };

/** Whether a user still sees a project: asked on their behalf, long after their request and its credentials. */
export class ProjectVisibility {
  readonly #accessStore: AccessStore;
  readonly #authorizer: Authorizer;

  constructor(deps: { accessStore: AccessStore; authorizer: Authorizer }) {
    this.#accessStore = deps.accessStore;
    this.#authorizer = deps.authorizer;
  }

  async sees(user_id: string, project_id: string): Promise<boolean> {
    const user = await this.#accessStore.findUser(user_id);
    if (!user || user.is_disabled) return false;
    const limits = { scheme: 'api_key', api_key_id: null, project_id: null, max_role: null, purpose: null } as const;
    const caller = { user_id, email: user.email, role: user.role, ...limits, origin: NOBODY_ASKS };
    return (await this.#authorizer.roleOn(caller, 'project', project_id)) !== undefined;
  }
}
