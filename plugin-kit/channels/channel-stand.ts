import assert from 'node:assert/strict';
import type { NotificationHost, OutgoingMail } from '../../core/plugin-sdk/index.ts';
import { expectSame, until } from '../check.ts';
import { asks, type FakeProvider, getHost, startFakeProvider } from '../fake-provider.ts';
import { closeWaysPast, type WaysPast } from '../ways-past.ts';

/** Message expected for a notification. */
export type ExpectedMessage =
  | { readonly asks: string; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly mail: OutgoingMail };

/** Environment of a channel under test: an upstream service, a mail server, and a record of their traffic. */
export class ChannelStand {
  readonly mails: OutgoingMail[] = [];
  readonly logged: unknown[] = [];
  /** URLs passed to the host's `fetch`, whether the request got through or not. */
  readonly asked: string[] = [];
  /** How often a signature was asked for. */
  signed = 0;
  fake!: FakeProvider;
  fetch: typeof globalThis.fetch | undefined;
  refusal: Error | undefined;
  readonly #id: string;
  #past: WaysPast | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  host(): NotificationHost {
    const log = (...line: unknown[]) => this.logged.push(line);
    const fetch: typeof globalThis.fetch = (input, init) => {
      this.asked.push(String(input));
      return (this.fetch ?? this.fake.fetch)(input, init);
    };
    return {
      ...getHost(this.fake, { fetch, log, operatorSetting: () => undefined }),
      sign: (id, timestamp, body) => {
        this.signed += 1;
        return `v1,signature of ${id} at ${timestamp} over ${body.length} characters`;
      },
      sendMail: async (mail) => {
        this.mails.push(mail);
        if (this.refusal) throw this.refusal;
      },
    };
  }

  sent = (): unknown[] => [...this.fake.seen.map(asks), ...this.mails];

  past = (): readonly string[] => this.#past?.attempts ?? [];

  /** Rejects as soon as something is sent a second time: a channel that repeats it for ever never ends. */
  async once<T>(call: Promise<T>): Promise<T> {
    let over = false;
    const repeated = until('a second time', () => over || this.sent().length > 1, 30_000).then(() => {
      if (!over) assert.fail('it was sent a second time: tries again are the host’s');
      return call;
    });
    call.catch(() => {});
    return Promise.race([call, repeated]).finally(() => {
      over = true;
    });
  }

  /** Messages sent, with the marks that show by whose settings. */
  told = (): unknown => [
    this.fake.seen.map(({ method, url, headers, body }) => ({ method, url, headers, body })),
    [...this.mails],
  ];

  expectSent(expected: ExpectedMessage): void {
    expectSame(this.sent(), ['mail' in expected ? expected.mail : expected.asks]);
    if ('mail' in expected) return;
    const [{ body, headers }] = this.fake.seen as [FakeProvider['seen'][number]];
    expectSame(JSON.parse(body), expected.body);
    assert.partialDeepStrictEqual(headers, { ...expected.headers });
  }

  async open(): Promise<void> {
    this.fake = await startFakeProvider();
    this.#past = closeWaysPast(this.#id, this.fake.port);
  }

  reset(): void {
    for (const list of [this.mails, this.logged, this.asked, this.fake.seen, this.#past?.attempts ?? []]) list.length = 0;
    [this.fetch, this.refusal] = [undefined, undefined];
    this.signed = 0;
    this.fake.answer = () => ({ body: 'ok' });
  }

  async close(): Promise<void> {
    this.#past?.reopen();
    await this.fake.close();
  }
}
