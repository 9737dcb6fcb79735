import assert from 'node:assert/strict';
import { type Notification, type NotificationChannelPlugin, PluginError, type z } from '../../core/plugin-sdk/index.ts';
import { type Check, type CheckList, captureFailure, check, expectNone, expectSame, type Fixed, until } from '../check.ts';
import { folderChecks } from '../folder-checks.ts';
import { headCheck, sameHeadCheck } from '../head-check.ts';
import { processState } from '../process-state.ts';
import { listForms, secretsIn, withMarkedSecrets } from '../secrets.ts';
import { settingsChecks } from '../settings-checks.ts';
import { ChannelStand, type ExpectedMessage } from './channel-stand.ts';

/** Facts that the kit needs to try a notification channel. */
export interface NotificationChannelCase<S extends z.ZodType> {
  readonly plugin: NotificationChannelPlugin<S>;
  /** Settings that the schema accepts. Whatever stands in their secrets must show up nowhere. */
  readonly settings: Fixed<z.input<S>>;
  /** Settings of a second alert, which are sent elsewhere or with another key, where the kit cannot make them of the secrets. */
  readonly otherSettings?: Fixed<z.input<S>>;
  /** The plugin's folder. */
  readonly folder: string;
  /** Message expected for `SAMPLE`: a request, or a mail. */
  readonly expected: ExpectedMessage;
  /** Says that the settings hold no secret, on purpose. */
  readonly keyless?: boolean;
}

/** Notification that channels are given. The name of the alert holds what must not be read as markup. */
export const SAMPLE: Notification = {
  id: '0190a6a0-0000-7000-8000-000000000001',
  type: 'alert.firing',
  timestamp: '2026-01-01T00:00:00.000Z',
  title: 'Alert "<!channel> costly" fires',
  text: 'It fires when the figure is above 10.\nThe last figure is 12.',
  data: { alert_id: 'a1', alert_name: '<!channel> costly', state: 'firing', value: 12, operator: 'above', threshold: 10 },
};
const ECHO = 'echo-of-the-upstream-service';
const never = () => new AbortController().signal;

/** Awkward contents of names that users gave. */
const STRANGE: readonly Pick<Notification, 'title' | 'text'>[] = [
  { title: 'Alert "\r\nBcc: everybody@example.org" fires', text: 'One line.\r\n\r\nAnother.' },
  { title: 'Alert "漢字 🧪 \ud800" fires', text: '' },
  { title: 'x'.repeat(10_000), text: 'y'.repeat(100_000) },
  { title: 'Alert "{{y}} \\ \u0000 </script> & *z*" fires', text: '"\\' },
];

/** Checks of every notification-channel plugin. */
export function notificationChannelChecks<S extends z.ZodType>(given: NotificationChannelCase<S>): CheckList {
  const { plugin, settings, folder, expected } = given;
  const stand = new ChannelStand(plugin.id);
  const canaries = secretsIn(plugin.settings, settings).flatMap(listForms);
  const create = () => plugin.create(stand.host(), plugin.settings.parse(settings));
  const send = (signal = never(), notification = structuredClone(SAMPLE)) => create().send(notification, signal);
  const checks = [
    headCheck(plugin),
    sameHeadCheck(plugin, settings),
    ...settingsChecks(given, { canaries }),
    check('does nothing when it is created', () => {
      create();
      expectSame([stand.asked, stand.mails], [[], []]);
    }),
    check('tells it once, as expected, by no way but the host', async () => {
      await send();
      expectSame(stand.past(), []);
      stand.expectSent(expected);
    }),
    check('returns the status of the upstream service, or nothing', async () => {
      const receipt = await send();
      const { status } = receipt ?? {};
      if (receipt !== undefined) expectSame(Object.keys(receipt), ['status']);
      assert.ok(status === undefined || status === 200, `the status is 200, not ${status}`);
    }),
    check('changes nothing that it is given', async () => {
      const given = { notification: structuredClone(SAMPLE), settings: plugin.settings.parse(settings) };
      const before = structuredClone(given);
      await plugin.create(stand.host(), given.settings).send(given.notification, never());
      expectSame(given, before);
    }),
    check('keeps two alerts apart', () => keepsAlertsApart(given, stand)),
    check('tells what people have named strangely, once', async () => {
      for (const strange of STRANGE) {
        stand.reset();
        await send(never(), { ...structuredClone(SAMPLE), ...strange }).catch((error: unknown) =>
          assert.fail(`did not tell of ${JSON.stringify(strange.title.slice(0, 50))}: ${error}`),
        );
        assert.equal(stand.sent().length, 1);
        for (const mail of stand.mails) assert.equal(mail.to, 'mail' in expected ? expected.mail.to : undefined);
      }
    }),
    check('signs if it says so', async () => {
      await send();
      assert.equal(stand.signed > 0, plugin.is_signed === true, 'is_signed is to say whether it signs');
    }),
    check('shows no secret to the log', async () => {
      await send();
      expectNone(canaries, stand.logged);
    }),
    check('leaves the process as it was', async () => {
      const state = processState();
      await send().finally(() => state.restore());
      assert.deepEqual(state.changes(), []);
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

/** Two alerts, the second made before the first is told: each is told by its own settings. */
async function keepsAlertsApart<S extends z.ZodType>(
  { plugin, settings, otherSettings }: NotificationChannelCase<S>,
  stand: ChannelStand,
): Promise<void> {
  const other = plugin.settings.parse(otherSettings ?? withMarkedSecrets(plugin.settings, settings, '-other'));
  const create = (own: z.output<S>) => plugin.create(stand.host(), own);
  const told = async (channel: ReturnType<typeof create>): Promise<unknown> => {
    stand.reset();
    await channel.send(structuredClone(SAMPLE), never());
    return stand.told();
  };
  const own = plugin.settings.parse(settings);
  const alone = [await told(create(own)), await told(create(other))];
  assert.notDeepEqual(alone[0], alone[1], 'nothing shows by whose settings it was told: give "otherSettings"');
  const [first, second] = [create(own), create(other)];
  for (const _ of [1, 2]) expectSame([await told(first), await told(second)], alone);
}

type Send = (signal?: AbortSignal) => Promise<unknown>;

const mailChecks = (stand: ChannelStand, send: Send): Check[] => [
  check("lets the host's own refusal pass", async () => {
    stand.refusal = new PluginError('unavailable', 'the mail server did not take the mail');
    await assert.rejects(stand.once(send()), (error) => error === stand.refusal);
    assert.equal(stand.mails.length, 1, 'tries again are the host’s');
  }),
];

const requestChecks = (stand: ChannelStand, send: Send, canaries: readonly string[]): Check[] => [
  ...[400, 401, 403, 404, 410, 429, 500, 503].map((status) =>
    check(`says that it was not taken at status ${status}, and repeats nothing`, async () => {
      stand.fake.answer = () => ({ status, body: `${ECHO} ${canaries.join(' ')}` });
      const error = await captureFailure(stand.once(send()));
      assert.equal(error.status, status);
      expectNone([ECHO, ...canaries], error, stand.logged);
      assert.equal(stand.fake.seen.length, 1, 'tries again are the host’s');
    }),
  ),
  check('follows no redirect', async () => {
    // One that can be reached, so that it is seen whether somebody goes there.
    const location = `http://127.0.0.1:${stand.fake.port}/elsewhere`;
    let asked = 0;
    stand.fake.answer = () => {
      asked += 1;
      return asked > 1 ? { body: '{}' } : { status: 307, headers: { location }, body: '' };
    };
    await captureFailure(stand.once(send()));
    assert.equal(stand.fake.seen.length, 1, 'the host has looked at the first address only');
  }),
  check('says that the upstream service cannot be reached, without repeating why', async () => {
    stand.fetch = () => Promise.reject(new TypeError(`fetch failed: ${canaries.join(' ')}`));
    expectNone(canaries, await captureFailure(stand.once(send())), stand.logged);
  }),
  check('reads no reply that does not end', async () => {
    for (const reply of ['endless', 'cut'] as const) {
      stand.reset();
      stand.fake.answer = () => reply;
      const controller = new AbortController();
      const ended = stand.once(send(controller.signal)).catch((error: unknown) => {
        assert.ok(error instanceof PluginError, `it was to tell, or to reject with a PluginError: ${error}`);
      });
      const late = setTimeout(() => controller.abort(new Error('late')), 2_000);
      await ended.finally(() => clearTimeout(late));
    }
  }),
  check("lets the host's own refusal pass", async () => {
    const refusal = new PluginError('unsupported', 'the URL is not one that may be called');
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
