import type { Identity, IdentityProvider, z } from '../../core/plugin-sdk/index.ts';
import { type FakeProvider, getHost, startFakeProvider } from '../fake-provider.ts';
import { closeWaysPast, type WaysPast } from '../ways-past.ts';
import type { Credentials, IdentityProviderCase } from './identity-case.ts';

/** Fixture around an identity provider that is tried: the service behind it, and a look at what went past that. */
export class IdentityStage<S extends z.ZodType> {
  readonly logged: unknown[] = [];
  /** URLs that the host's `fetch` was asked for, whether it has come through or not. */
  readonly asked: string[] = [];
  fake!: FakeProvider;
  fetch: typeof globalThis.fetch | undefined;
  readonly #given: IdentityProviderCase<S>;
  #credentials: Promise<Credentials> | undefined;
  #past: WaysPast | undefined;

  constructor(given: IdentityProviderCase<S>) {
    this.#given = given;
  }

  get past(): readonly string[] {
    return this.#past?.attempts ?? [];
  }

  get credentials(): Promise<Credentials> {
    this.#credentials ??= this.#given.credentials();
    return this.#credentials;
  }

  create(settings: unknown = this.#given.settings): IdentityProvider {
    const fetch: typeof globalThis.fetch = (input, init) => {
      this.asked.push(String(input));
      return (this.fetch ?? this.fake.fetch)(input, init);
    };
    const log = (...line: unknown[]) => void this.logged.push(line);
    const host = getHost(this.fake, { fetch, log, operatorSetting: () => undefined });
    return this.#given.plugin.create(host, this.#given.plugin.settings.parse(settings));
  }

  identify(credential: string, signal: AbortSignal = new AbortController().signal): Promise<Identity | undefined> {
    return this.create().identify(credential, signal);
  }

  async open(): Promise<void> {
    this.fake = await startFakeProvider();
    this.#past = closeWaysPast(this.#given.plugin.id, this.fake.port);
  }

  reset(): void {
    for (const list of [this.logged, this.asked, this.fake.seen, this.#past?.attempts ?? []]) list.length = 0;
    this.fetch = undefined;
    this.fake.answer = (request) => {
      const body = this.#given.upstream(request);
      return body === undefined ? { status: 404, body: '' } : { body: JSON.stringify(body) };
    };
  }

  async close(): Promise<void> {
    this.#past?.reopen();
    await this.fake.close();
  }
}
