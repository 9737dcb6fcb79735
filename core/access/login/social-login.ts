import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import { isCleanText } from '../../kernel/text.ts';
import type { Identity } from '../../plugin-sdk/index.ts';
import type { AccessStore } from '../access-store.ts';
import type { AuditActor } from '../audit/audit.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Origin } from '../caller.ts';
import { AUTH_METHODS, type AuthMethod, mayLogIn, normalEmail, type User } from '../users/user.ts';
import type { SocialSettings } from './identity.ts';

const Email = z.email().max(320);
const MAX_NAME = 255;

export interface SocialLoginDeps {
  readonly accessStore: AccessStore;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** A proven identity and how its provider is set up. */
export interface SocialProof {
  readonly provider: string;
  readonly identity: Identity;
  readonly settings: SocialSettings;
}

/**
 * Whose an identity elsewhere is. Issuer and subject decide, never the e-mail: that only serves to link an identity, once,
 * to a user with the same address, when both sides have proven it.
 */
export class SocialLogin {
  readonly #deps: SocialLoginDeps;

  constructor(deps: SocialLoginDeps) {
    this.#deps = deps;
  }

  /** Links or makes a user where that is allowed. Undefined when nobody may log in with the identity. */
  async getUser(proof: SocialProof, origin: Origin): Promise<User | undefined> {
    try {
      return await this.#find(proof, origin);
    } catch (error) {
      // Another login with the same identity was first; its user is there now.
      if (error instanceof AppError && error.kind === 'conflict') return this.#find(proof, origin);
      throw error;
    }
  }

  async #find(proof: SocialProof, origin: Origin): Promise<User | undefined> {
    const { issuer, subject } = proof.identity;
    const known = await this.#deps.accessStore.findUserByIdentity(issuer, subject);
    if (known) return mayLogIn(known) ? known : undefined;
    const email = provenEmail(proof.identity);
    if (email === undefined) return undefined;
    return this.#deps.transactions.run(async () => {
      const user = await this.#deps.accessStore.findUserByEmail(email);
      if (user) return mayLogIn(user) ? this.#link(user, proof, origin) : undefined;
      return maySignUp(email, proof.settings) ? this.#signUp(email, proof, origin) : undefined;
    });
  }

  async #link(user: User, proof: SocialProof, origin: Origin): Promise<User> {
    await this.#insertIdentity(user, proof);
    await this.#note('user.link_identity', user, proof, origin);
    return user;
  }

  async #signUp(email: string, proof: SocialProof, origin: Origin): Promise<User> {
    const now = this.#deps.clock().toISOString();
    const user: User = {
      id: this.#deps.newId(),
      email,
      first_name: getName(proof.identity.first_name),
      last_name: getName(proof.identity.last_name),
      role: 'user',
      auth_method: toAuthMethod(proof.provider),
      email_is_verified: true,
      is_disabled: false,
      password_hash: null,
      token_version: 0,
      created_at: now,
      updated_at: now,
    };
    await this.#deps.accessStore.insertUser(user);
    await this.#insertIdentity(user, proof);
    await this.#note('user.sign_up', user, proof, origin);
    return user;
  }

  #insertIdentity(user: User, { identity: { issuer, subject } }: SocialProof): Promise<void> {
    const created_at = this.#deps.clock().toISOString();
    return this.#deps.accessStore.insertIdentity({ issuer, subject, user_id: user.id, created_at });
  }

  #note(action: string, user: User, { provider, identity }: SocialProof, origin: Origin): Promise<void> {
    const details = { provider, issuer: identity.issuer };
    return this.#deps.auditTrail.toNote(loginActor(user, 'social', origin), {
      action,
      object_kind: 'user',
      object_id: user.id,
      details,
    });
  }
}

/** Who logs in, as the audit log names them. */
export const loginActor = (user: User, scheme: string, origin: Origin, api_key_id: string | null = null): AuditActor => ({
  actor_id: user.id,
  actor_email: user.email,
  scheme,
  api_key_id,
  ...origin,
});

function provenEmail({ email, email_verified }: Identity): string | undefined {
  if (email === null || !email_verified) return undefined;
  const parsed = Email.safeParse(normalEmail(email));
  return parsed.success ? parsed.data : undefined;
}

/** The API has six names for other providers; whoever comes by one of another name comes by one of the operator's own. */
const toAuthMethod = (provider: string): AuthMethod => AUTH_METHODS.find((method) => method === provider) ?? 'custom';

const maySignUp = (email: string, { sign_up_domains }: SocialSettings): boolean =>
  sign_up_domains !== null && (sign_up_domains.length === 0 || sign_up_domains.includes(email.slice(email.lastIndexOf('@') + 1)));

const getName = (name: string | null): string =>
  name !== null && isCleanText(name) ? [...name].slice(0, MAX_NAME).join('') : '';
