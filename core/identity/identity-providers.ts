import type { IdentityVerifier, SocialSettings } from '../access/login/identity.ts';
import type { SocialDirectory, SocialSignIn } from '../access/login/social-sign-in.ts';
import { guardedHost } from '../integrations/guarded-host.ts';
import { callPlugin, type Guard, pluginFailure, readGiven } from '../integrations/plugin-guard.ts';
import { redacted, secretWords } from '../integrations/secret-words.ts';
import { withDeadline } from '../kernel/deadline.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, Log } from '../kernel/ports.ts';
import { isCleanText } from '../kernel/text.ts';
import {
  type CodeRequest,
  type CodeReturn,
  type Identity,
  type IdentityProvider,
  PluginError,
  type PluginHost,
  secretPaths,
  z,
} from '../plugin-sdk/index.ts';
import {
  type AcceptedProvider,
  acceptProviders,
  type ConfiguredProviders,
  type IdentityProviderRegistry,
} from './configured-provider.ts';
import { SignInEntry } from './sign-in-entry.ts';

export interface IdentityProvidersDeps {
  readonly identityProviderPlugins: IdentityProviderRegistry;
  readonly socialProviders: ConfiguredProviders;
  /** Its `fetch` calls what the operator named in the settings. */
  readonly identityHost: PluginHost;
  readonly clock: Clock;
  readonly log: Log;
}

const MAX_CREDENTIAL_CHARS = 16 * 1024;
const LIMIT_MS = 10_000;
const RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 600;
/** Anybody may send credentials: those of one provider never hold up more than this. */
const MAX_IN_FLIGHT = 200;

const Clean = z.string().min(1).refine(isCleanText, 'cannot be stored');
const Given = z.object({
  issuer: Clean.max(2_000),
  subject: Clean.max(255),
  email: z.string().max(10_000).nullable(),
  email_verified: z.boolean(),
  first_name: z.string().max(10_000).nullable(),
  last_name: z.string().max(10_000).nullable(),
  expires_at: z.iso.datetime(),
});

const AuthorizationUrl = z
  .url({ protocol: /^https?$/ })
  .max(10_000)
  .optional();

interface Opened extends AcceptedProvider {
  readonly provider: IdentityProvider;
  readonly guard: Guard;
  readonly signIn: SignInEntry;
  inFlight: number;
}

/**
 * The identity providers that the operator has set up, behind the boundary between plugins and the service: what they give is read by a
 * schema, is of an issuer that is theirs, has not expired, and comes in time; what they throw or log holds no secret of theirs.
 */
export class IdentityProviders implements IdentityVerifier, SocialDirectory {
  readonly #opened: ReadonlyMap<string, Opened>;
  readonly #clock: Clock;

  /** Throws an Error that lists what is wrong, as `acceptProviders`. */
  constructor(deps: IdentityProvidersDeps) {
    const accepted = acceptProviders(deps.identityProviderPlugins, deps.socialProviders);
    this.#opened = new Map(accepted.map((one) => [one.name, openProvider(one, deps)]));
    this.#clock = deps.clock;
  }

  /** Names that are set up. */
  get names(): readonly string[] {
    return [...this.#opened.keys()];
  }

  settings(provider: string): SocialSettings | undefined {
    return this.#opened.get(provider)?.social;
  }

  async verify(provider: string, credential: string): Promise<Identity | undefined> {
    const opened = this.#opened.get(provider);
    if (!opened || credential.length > MAX_CREDENTIAL_CHARS) return undefined;
    return this.#identify(opened, credential, (signal) => opened.provider.identify(credential, signal));
  }

  /** Tells whether browsers sign in there by a code. */
  usesCode(provider: string): boolean {
    return this.#opened.get(provider)?.provider.codeFlow !== undefined;
  }

  /** URL to send a browser to; undefined where the provider gives no codes. Rejects with AppError `unavailable` when it cannot be reached. */
  async authorize(provider: string, asked: CodeRequest): Promise<string | undefined> {
    const opened = this.#opened.get(provider);
    const flow = opened?.provider.codeFlow;
    if (!opened || !flow) return undefined;
    return inTurn(opened, async () => {
      const given = await call(opened.guard, (signal) => flow.authorize(asked, signal));
      return readGiven(opened.guard, 'where it signs people in', AuthorizationUrl, given ?? undefined);
    });
  }

  /** Whose a code is; undefined when it is not good. Rejects with AppError `unavailable` when the provider cannot tell now. */
  async redeem(provider: string, returned: CodeReturn): Promise<Identity | undefined> {
    const opened = this.#opened.get(provider);
    const flow = opened?.provider.codeFlow;
    if (!opened || !flow || returned.code.length > MAX_CREDENTIAL_CHARS) return undefined;
    return this.#identify(opened, returned.code, (signal) => flow.redeem(returned, signal));
  }

  #identify(opened: Opened, credential: string, ask: (signal: AbortSignal) => Promise<unknown>): Promise<Identity | undefined> {
    return inTurn(opened, async () => {
      const identity = await identify(opened.guard, credential, ask);
      return identity && isCurrent(opened, identity, this.#clock()) ? identity : undefined;
    });
  }

  async list(): Promise<SocialSignIn[]> {
    const listed = await Promise.all([...this.#opened.values()].map(({ signIn }) => signIn.get()));
    return listed.flatMap((one) => one ?? []);
  }
}

function openProvider(accepted: AcceptedProvider, { identityHost, clock, log }: IdentityProvidersDeps): Opened {
  const { name, plugin, settings } = accepted;
  const values = secretPaths(plugin.settings).map((path) => path.reduce<unknown>((node, step) => Object(node)[step], settings));
  const words = secretWords(values.filter((value) => value !== undefined));
  const guard: Guard = { log, facts: { provider: name }, redact: (text) => redacted(text, words) };
  const provider = plugin.create(guardedHost(identityHost, guard.redact), settings);
  return { ...accepted, provider, guard, signIn: new SignInEntry({ name, provider, guard, clock }), inFlight: 0 };
}

/** Limits what is under way at one provider. */
async function inTurn<T>(opened: Opened, work: () => Promise<T>): Promise<T | undefined> {
  if (opened.inFlight >= MAX_IN_FLIGHT) throw unavailable();
  opened.inFlight += 1;
  try {
    return await work();
  } catch (error) {
    return toRefusal(error, opened.guard);
  } finally {
    opened.inFlight -= 1;
  }
}

async function call(guard: Guard, ask: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  try {
    return await withDeadline({ ms: LIMIT_MS }, (signal) => callPlugin(guard, signal, async () => ask(signal)));
  } catch (error) {
    throw error instanceof PluginError ? error : pluginFailure(error, guard);
  }
}

async function identify(
  guard: Guard,
  credential: string,
  ask: (signal: AbortSignal) => Promise<unknown>,
): Promise<Identity | undefined> {
  // The credential of a person is a secret as well.
  const own: Guard = { ...guard, redact: (text) => redacted(guard.redact(text), secretWords([credential])) };
  const given = await call(own, ask);
  return given === undefined || given === null ? undefined : readGiven(own, 'an identity', Given, given);
}

/** Whether the host takes the plugin's word: of an issuer that is its own, and not of a time that is over. */
function isCurrent({ issuers, guard }: Opened, { issuer, expires_at }: Identity, now: Date): boolean {
  const flaw = !issuers.has(issuer) ? 'an issuer that is not its own' : Date.parse(expires_at) <= now.getTime() ? 'the past' : '';
  if (flaw !== '') guard.log.error('a plugin gave what it should not', { ...guard.facts, what: `an identity of ${flaw}` });
  return flaw === '';
}

/** Nobody logs in by what a plugin gets wrong; what may pass is said so. */
function toRefusal(error: unknown, { log, facts }: Guard): undefined {
  if (!(error instanceof PluginError)) throw error;
  if (error.retryable) throw unavailable(error);
  const { failure, message } = error;
  log.warn('an identity provider did not tell who somebody is', { ...facts, failure, error: message });
  return undefined;
}

function unavailable(cause?: PluginError): AppError {
  const retryAfterSeconds = Math.min(Math.max(1, Math.ceil(cause?.retry_after_seconds ?? RETRY_SECONDS)), MAX_RETRY_SECONDS);
  const message = 'the identity provider cannot be asked now';
  return new AppError('unavailable', 'identity_provider_unavailable', message, { cause, retryAfterSeconds });
}
