import assert from 'node:assert/strict';
import {
  type Notification,
  type NotificationChannelPlugin,
  type NotificationHost,
  type OutgoingMail,
  PluginError,
  type z,
} from '../core/plugin-sdk/index.ts';
import { type Check, type CheckList, captureFailure, check, expectNone, expectSame, type Fixed, until } from './check.ts';
import { asks, type FakeProvider, getHost, startFakeProvider } from './fake-provider.ts';
import { folderChecks } from './folder-checks.ts';
import { headCheck, sameHeadCheck } from './head-check.ts';
import { listForms, secretsIn } from './secrets.ts';
import { settingsChecks } from './settings-checks.ts';
import { closeWaysPast, type WaysPast } from './ways-past.ts';

/** What the kit needs to know to try a notification channel. */
export interface NotificationChannelCase<S extends z.ZodType> {
  readonly plugin: NotificationChannelPlugin<S>;
  /** Settings that the schema accepts. Whatever stands in their secrets must show up nowhere. */
  readonly settings: Fixed<z.input<S>>;
  /** The plugin's folder. */
  readonly folder: string;
  /** What is to be sent of `SAMPLE`: a request, or a mail. */
  readonly expected:
    | { readonly asks: string; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
    | { readonly mail: OutgoingMail };
  /** Says that the settings hold no secret, on purpose. */
  readonly keyless?: boolean;
}

/** What the kit has channels tell. The name of the alert holds what must not be read as markup. */
export const SAMPLE: Notification = {
  id: '0190a6a0-0000-7000-8000-000000000001',
  type: 'alert.firing',
  timestamp: '2026-01-01T00:00:00.000Z',
  title: 'Alert "<!channel> costly" fires',
  text: 'It fires when the figure is above 10.\nThe last figure is 12.',
  data: { alert_id: 'a1', alert_name: '<!channel> costly', state: 'firing', value: 12, operator: 'above', threshold: 10 },
};
const ECHO = 'echo-of-the-far-side';

/** What every notification-channel plugin has to hold. */
export function notificationChannelChecks<S extends z.ZodType>(given: NotificationChannelCase<S>): CheckList {
  const { plugin, settings, folder, expected } = given;
  const stand = new Stand(plugin.id);
  const canaries = secretsIn(plugin.settings, settings).flatMap(listForms);
  const create = () => plugin.create(stand.host(), plugin.settings.parse(settings));
  const send = (signal = new AbortController().signal) => create().send(SAMPLE, signal);
  const checks = [
    headCheck(plugin),
    sameHeadCheck(plugin, settings),
    ...settingsChecks(given, { canaries }),
    check('does nothing when it is created', () => {
      create();
      expectSame(stand.sent(), []);
    }),
    check('tells it once, as expected, by no way but the host', async () => {
      await send();
      expectSame(stand.past(), []);
      stand.expectSent(expected);
    }),
    check('changes nothing that it is given', async () => {
      const before = structuredClone(SAMPLE);
      await create().send(SAMPLE, new AbortController().signal);
      assert.deepEqual(SAMPLE, before);
    }),
    check('tells nothing when it was aborted before', async () => {
      const reason = new Error('not wanted any more');
      await assert.rejects(send(AbortSignal.abort(reason)), (error) => error === reason);
      expectSame(stand.sent(), []);
    }),
    ...('mail' in expected ? mailChecks(stand, send) : requestChecks(stand, send, canaries)),
    ...folderChecks(folder, plugin.settings),
  ];
  return {
    title: `notification channel ${plugin.id}`,
    checks,
    open: () => stand.open(),
    reset: () => stand.reset(),
    close: () => stand.close(),
  };
}

type Send = (signal?: AbortSignal) => Promise<unknown>;

const mailChecks = (stand: Stand, send: Send): Check[] => [
  check("lets the host's own refusal pass", async () => {
    stand.refusal = new PluginError('unavailable', 'the mail server did not take the mail');
    await assert.rejects(send(), (error) => error === stand.refusal);
    assert.equal(stand.mails.length, 1, 'tries again are the host’s');
  }),
];

const requestChecks = (stand: Stand, send: Send, canaries: readonly string[]): Check[] => [
  ...[400, 401, 403, 404, 410, 429, 500, 503].map((status) =>
    check(`says that it was not taken at status ${status}, and repeats nothing`, async () => {
      stand.fake.answer = () => ({ status, body: `${ECHO} ${canaries.join(' ')}` });
      const error = await captureFailure(send());
      assert.equal(error.status, status);
      expectNone([ECHO, ...canaries], error, stand.logged);
      assert.equal(stand.fake.seen.length, 1, 'tries again are the host’s');
    }),
  ),
  check('follows no redirect', async () => {
    stand.fake.answer = ({ url }) =>
      url.includes('elsewhere') ? { body: '{}' } : { status: 307, headers: { location: 'https://elsewhere.test/' }, body: '' };
    await captureFailure(send());
    assert.equal(stand.fake.seen.length, 1);
  }),
  check('says that the upstream service cannot be reached, without repeating why', async () => {
    stand.fetch = () => Promise.reject(new TypeError(`fetch failed: ${canaries.join(' ')}`));
    expectNone(canaries, await captureFailure(send()), stand.logged);
  }),
  check("lets the host's own refusal pass", async () => {
    const refusal = new PluginError('unsupported', 'the address is not one that may be called');
    stand.fetch = () => Promise.reject(refusal);
    await assert.rejects(send(), (error) => error === refusal);
  }),
  check('ends at once when it is aborted', async () => {
    stand.fake.answer = () => 'silence';
    const reason = new Error('the caller changed its mind');
    const controller = new AbortController();
    const call = send(controller.signal);
    call.catch(() => {});
    await until('a request', () => stand.fake.seen.length > 0);
    controller.abort(reason);
    await assert.rejects(call, (error) => error === reason, 'it is to reject with the reason of the signal');
  }),
];

/** What stands around a channel that is tried: a upstream service, a mail server, and a look at what went past them. */
class Stand {
  readonly mails: OutgoingMail[] = [];
  readonly logged: unknown[] = [];
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
    const fetch: typeof globalThis.fetch = (...asked) => (this.fetch ?? this.fake.fetch)(...asked);
    return {
      ...getHost(this.fake, { fetch, log, operatorSetting: () => undefined }),
      sign: (id, timestamp, body) => `v1,signature of ${id} at ${timestamp} over ${body.length} characters`,
      sendMail: async (mail) => {
        this.mails.push(mail);
        if (this.refusal) throw this.refusal;
      },
    };
  }

  sent = (): unknown[] => [...this.fake.seen.map(asks), ...this.mails];

  past = (): readonly string[] => this.#past?.attempts ?? [];

  expectSent(expected: NotificationChannelCase<z.ZodType>['expected']): void {
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
    for (const list of [this.mails, this.logged, this.fake.seen, this.#past?.attempts ?? []]) list.length = 0;
    [this.fetch, this.refusal] = [undefined, undefined];
    this.fake.answer = () => ({ body: 'ok' });
  }

  async close(): Promise<void> {
    this.#past?.reopen();
    await this.fake.close();
  }
}
