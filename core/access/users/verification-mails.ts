import type { Clock, Log } from '../../kernel/ports.ts';
import type { AccessStore } from '../access-store.ts';
import type { Secrets } from '../login/identity.ts';
import type { LoginStore } from '../login/login-store.ts';
import type { Mailer } from './mailer.ts';
import type { User } from './user.ts';

const CODE_PREFIX = 'tsv_';
export const CODE_MINUTES = 15;

export interface VerificationMailsDeps {
  readonly accessStore: AccessStore;
  readonly loginStore: LoginStore;
  readonly mailer: Mailer;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the service is reached from outside, without a slash at the end. */
  readonly publicUrl: string | undefined;
}

/** Mails codes that prove e-mail addresses. */
export class VerificationMails {
  readonly #deps: VerificationMailsDeps;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: VerificationMailsDeps) {
    this.#deps = deps;
  }

  /**
   * Mails a code after the reply, when the address belongs to somebody who has to prove it: neither time nor failure
   * reveals to the caller whether it does. To be called outside transactions.
   */
  sendLater(email: string): void {
    const sending = this.#send(email).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#deps.log.error('a verification mail was not sent', { reason });
    });
    this.#underWay.add(sending);
    void sending.finally(() => this.#underWay.delete(sending));
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #send(email: string): Promise<void> {
    const user = await this.#deps.accessStore.findUserByEmail(email);
    if (!user || user.email_is_verified || user.is_disabled) return;
    const code = this.#deps.secrets.mint(CODE_PREFIX);
    await this.#keep(user, code);
    await this.#deps.mailer.send({ to: user.email, subject: 'Confirm your e-mail address', text: this.#text(code) });
  }

  async #keep({ id, email }: User, code: string): Promise<void> {
    const now = this.#deps.clock();
    await this.#deps.loginStore.insertCode({
      code_hash: this.#deps.secrets.digest(code),
      user_id: id,
      email,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + CODE_MINUTES * 60_000).toISOString(),
      used_at: null,
    });
  }

  #text(code: string): string {
    const { publicUrl } = this.#deps;
    const where = publicUrl === undefined ? '' : ` at ${publicUrl}`;
    const path = `${publicUrl ?? '<address of the service>'}/v2/verify_email`;
    return `There is a Touchstone account${where} with this e-mail address, which is not confirmed yet.

Your code, good once and for ${CODE_MINUTES} minutes:

  ${code}

The code goes together with a token for this address. Whoever asked for this mail has the token already; to get
one, which also mails another code:

  curl -X POST ${path} -H 'Content-Type: application/json' \\
    -d '{"email": "<this address>"}'

To confirm the address, send both:

  curl -X POST ${path}/complete -H 'Content-Type: application/json' \\
    -H 'Authorization: Bearer <access_token>' \\
    -d '{"code": "${code}"}'

If this account is not yours, you need not do anything: without the code the address stays unconfirmed.
`;
  }
}
