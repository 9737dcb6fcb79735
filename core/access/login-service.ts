import { AppError } from '../kernel/errors.ts';
import type { AccessService } from './access-service.ts';
import type { AccessStore } from './access-store.ts';
import type { Principal } from './caller.ts';
import type { TokenIssuer } from './identity.ts';

export interface LoginDeps {
  readonly accessStore: AccessStore;
  readonly accessService: Pick<AccessService, 'callerByPassword' | 'callerByApiKey'>;
  readonly tokenIssuer: TokenIssuer;
}

/** Exchanges credentials for tokens. */
export class LoginService {
  readonly #deps: LoginDeps;

  constructor(deps: LoginDeps) {
    this.#deps = deps;
  }

  /** Rejects with `unauthenticated`: the same for an unknown user and a wrong password. */
  async loginWithPassword(email: string, password: string): Promise<string> {
    return this.#tokenFor(await this.#deps.accessService.callerByPassword(email, password));
  }

  async loginWithApiKey(api_key: string): Promise<string> {
    return this.#tokenFor(await this.#deps.accessService.callerByApiKey(api_key));
  }

  async #tokenFor(principal: Principal | undefined): Promise<string> {
    const user = principal && (await this.#deps.accessStore.findUser(principal.user_id));
    if (!user) throw new AppError('unauthenticated', 'login_refused', 'user name, password or key is not valid');
    const { id, token_version } = user;
    return this.#deps.tokenIssuer.issue({ user_id: id, token_version, api_key_id: principal.api_key_id });
  }
}
