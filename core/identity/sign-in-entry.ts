import type { SocialSignIn } from '../access/login/social-sign-in.ts';
import { callPlugin, type Guard, pluginFailure, readGiven } from '../integrations/plugin-guard.ts';
import { withDeadline } from '../kernel/deadline.ts';
import type { Clock } from '../kernel/ports.ts';
import { type IdentityProvider, PluginError, z } from '../plugin-sdk/index.ts';

const LIMIT_MS = 3_000;
const FRESH_MS = 10 * 60_000;
/** Without the provider, what it said last serves for this long. */
const STALE_MS = 24 * 60 * 60_000;
/** Anybody may ask for the list: a provider that fails is not asked more often than this. */
const RETRY_MS = 30_000;

const Given = z
  .object({ client_id: z.string().max(2_000), authorization_endpoint: z.url({ protocol: /^https?$/ }).max(2_000) })
  .optional();

interface Found {
  readonly signIn: SocialSignIn | undefined;
  readonly at: number;
}

export interface SignInEntryDeps {
  readonly name: string;
  readonly provider: IdentityProvider;
  readonly guard: Guard;
  readonly clock: Clock;
}

/** Where one provider signs people in, as it says itself, remembered for some minutes. */
export class SignInEntry {
  readonly #deps: SignInEntryDeps;
  #last: Found | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(deps: SignInEntryDeps) {
    this.#deps = deps;
  }

  /** Those who ask at the same time wait for one and the same look. Undefined where it is not known. Does not reject. */
  async get(): Promise<SocialSignIn | undefined> {
    if (this.#deps.provider.signIn && this.#isDue()) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    return this.#last && this.#now() <= this.#last.at + STALE_MS ? this.#last.signIn : undefined;
  }

  #isDue(): boolean {
    return this.#now() > (this.#last?.at ?? 0) + FRESH_MS && this.#now() > this.#failedAt + RETRY_MS;
  }

  async #look(): Promise<void> {
    const { name, provider, guard } = this.#deps;
    try {
      const given = await withDeadline({ ms: LIMIT_MS }, (signal) =>
        callPlugin(guard, signal, async () => provider.signIn?.(signal)),
      );
      const found = readGiven(guard, 'where it signs people in', Given, given ?? undefined);
      this.#last = {
        signIn: found && { provider: name, ...found, flow: provider.codeFlow ? 'code' : 'implicit' },
        at: this.#now(),
      };
    } catch (error) {
      this.#failedAt = this.#now();
      const { message } = error instanceof PluginError ? error : pluginFailure(error, guard);
      guard.log.warn('a provider of social login does not say where people sign in', { ...guard.facts, error: message });
    }
  }

  #now(): number {
    return this.#deps.clock().getTime();
  }
}
