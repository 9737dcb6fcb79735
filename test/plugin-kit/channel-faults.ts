import { request as requestOverHttp } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defineNotificationChannel,
  type Notification,
  type NotificationChannel,
  type NotificationHost,
  PluginError,
  z,
} from '../../core/plugin-sdk/index.ts';
import type { NotificationChannelCase } from '../../plugin-kit/channels/notification-channel-checks.ts';
import { sampleChannel } from '../../plugin-kit/templates/notification_channel/index.ts';
import { sampleChannelKit } from '../../plugin-kit/templates/notification_channel/kit.ts';
import { email } from '../../plugins/notification-channels/email/index.ts';
import { emailKit } from '../../plugins/notification-channels/email/kit.ts';
import type { PlantedFault } from './planted-provider.ts';

export type ChannelCase = NotificationChannelCase<z.ZodType>;
type Settings = z.output<typeof sampleChannel.settings>;
type Head = Partial<Parameters<typeof defineNotificationChannel<typeof sampleChannel.settings>>[0]>;
type Sending = (
  send: NotificationChannel['send'],
  told: {
    readonly notification: Notification;
    readonly signal: AbortSignal;
    readonly host: NotificationHost;
    readonly settings: Settings;
  },
) => Promise<unknown>;

const ONCE = 'tells it once, as expected, by no way but the host';
const CHANGES_NOTHING = 'changes nothing that it is given';
const APART = 'keeps two alerts apart';
const AT_500 = 'says that it was not taken at status 500, and repeats nothing';
const REDIRECT = 'follows no redirect';
const UNREACHABLE = 'says that the upstream service cannot be reached, without repeating why';
const STRANGE = 'tells what people have named strangely, once';
const REFUSAL = "lets the host's own refusal pass";
const ABORTED = 'ends at once when it is aborted';
const LOG = 'shows no secret to the log';
const RECEIPT = 'returns the status of the upstream service, or nothing';

const asCase = (given: unknown): ChannelCase => given as ChannelCase;
const withHead = (head: Head): ChannelCase =>
  asCase({ ...sampleChannelKit, plugin: defineNotificationChannel({ ...sampleChannel, ...head }) });

/** The sample, with another way to send. */
const withSend = (sending: Sending): ChannelCase =>
  withHead({
    create: (host, settings) => {
      const made = sampleChannel.create(host, settings);
      const send = (notification: Notification, signal: AbortSignal) =>
        sending(made.send, { notification, signal, host, settings }) as ReturnType<NotificationChannel['send']>;
      return { send };
    },
  });

/** The sample without the client of the SDK, as an author writes it who uses `fetch` alone. */
const byHand = (
  ask: (post: (init?: RequestInit) => Promise<Response>, told: Parameters<Sending>[1]) => Promise<Response>,
): ChannelCase =>
  withSend(async (_send, told) => {
    const { notification, signal, host, settings } = told;
    const headers = { authorization: `Bearer ${settings.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ id: notification.id, text: notification.title });
    const whole = { method: 'POST', headers, body, redirect: 'manual', signal } as const;
    const { status, ok } = await ask((init) => host.fetch(settings.endpoint, { ...whole, ...init }), told);
    if (!ok) throw new PluginError('unavailable', 'it was not taken', { status });
    return { status };
  });

const asUnavailable = async (
  call: Promise<Response>,
  signal: AbortSignal,
  message = 'could not be reached',
): Promise<Response> => {
  try {
    const reply = await call;
    await reply.body?.cancel();
    return reply;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PluginError) throw error;
    throw new PluginError('unavailable', message);
  }
};

const withMail = (send: (host: NotificationHost, to: string, told: Notification) => Promise<unknown>): ChannelCase =>
  asCase({
    ...emailKit,
    plugin: defineNotificationChannel({
      ...email,
      create: (host, { to }) => ({
        async send(notification, signal) {
          signal.throwIfAborted();
          return (await send(host, to, notification)) as undefined;
        },
      }),
    }),
  });

let lastSettings: Settings | undefined;
let reads = 0;

/** The sample by hand is whole: what is planted in it alone is found. */
export const wholeChannels: readonly ChannelCase[] = [
  asCase(sampleChannelKit),
  byHand((post, { signal }) => asUnavailable(post(), signal)),
  withMail((host, to, { title, text }) => host.sendMail({ to, subject: title, text })),
];

const failures: readonly PlantedFault<ChannelCase>[] = [
  {
    what: 'takes a failure for success',
    found: AT_500,
    make: () => withSend((send, { notification, signal }) => send(notification, signal).catch(() => ({ status: 200 }))),
  },
  {
    what: 'tries again three times by itself',
    found: AT_500,
    make: () =>
      withSend(async (send, { notification, signal }) => {
        for (let tries = 0; tries < 3; tries += 1) await send(notification, signal).catch(() => {});
        return send(notification, signal);
      }),
  },
  {
    what: 'tries again without end',
    found: AT_500,
    make: () =>
      withSend(async (send, { notification, signal }) => {
        for (let tries = 0; tries < 500; tries += 1) {
          try {
            return await send(notification, signal);
          } catch {
            await sleep(5);
          }
        }
      }),
  },
  {
    what: 'hands on no status',
    found: AT_500,
    make: () =>
      withSend((send, { notification, signal }) =>
        send(notification, signal).catch(() => Promise.reject(new PluginError('unavailable', 'it was not taken'))),
      ),
  },
  {
    what: 'throws an Error that is none of the SDK',
    found: AT_500,
    make: () =>
      withSend((send, { notification, signal }) => send(notification, signal).catch(() => Promise.reject(new Error('no')))),
  },
  {
    what: 'repeats the reply of the upstream service',
    found: AT_500,
    make: () =>
      byHand(async (post, { signal }) => {
        const reply = await asUnavailableWithBody(post(), signal);
        if (reply.ok) return reply;
        throw new PluginError('unavailable', await reply.text(), { status: reply.status });
      }),
  },
  {
    what: 'shows its key in the message of an error',
    found: UNREACHABLE,
    make: () =>
      byHand((post, { signal, settings }) => asUnavailable(post(), signal, `not reached by "Bearer ${settings.token}"`)),
  },
  {
    what: 'shows its key in base64',
    found: UNREACHABLE,
    make: () =>
      byHand((post, { signal, settings }) =>
        asUnavailable(post(), signal, `not reached by ${Buffer.from(settings.token).toString('base64')}`),
      ),
  },
  {
    what: "hides the host's refusal",
    found: REFUSAL,
    make: () =>
      byHand(async (post, { signal }) => {
        try {
          return await post();
        } catch {
          signal.throwIfAborted();
          throw new PluginError('unavailable', 'could not be reached');
        }
      }),
  },
  {
    what: 'follows redirects by itself',
    found: REDIRECT,
    make: () => byHand((post, { signal }) => asUnavailable(post({ redirect: 'follow' }), signal)),
  },
  {
    what: 'calls the address of a redirect',
    found: REDIRECT,
    make: () =>
      byHand(async (post, { host, signal }) => {
        const reply = await asUnavailable(post(), signal);
        const location = reply.headers.get('location');
        return location === null ? reply : asUnavailable(host.fetch(location, { method: 'POST', signal }), signal);
      }),
  },
  {
    what: 'hands on no signal, and so has no deadline',
    found: ABORTED,
    make: () => byHand((post, { signal }) => asUnavailable(post({ signal: null }), signal)),
  },
  {
    what: 'ends an abort by an error of its own',
    found: ABORTED,
    make: () => byHand((post) => post().catch(() => Promise.reject(new PluginError('unavailable', 'could not be reached')))),
  },
  {
    what: 'reads a reply without end',
    found: 'reads no reply that does not end',
    make: () =>
      byHand(async (post, { signal }) => {
        const reply = await asUnavailableWithBody(post(), signal);
        await reply.arrayBuffer();
        return reply;
      }),
  },
  {
    what: 'tells after it was aborted',
    found: 'tells nothing when it was aborted before',
    make: () => withSend((send, { notification }) => send(notification, new AbortController().signal)),
  },
];

async function asUnavailableWithBody(call: Promise<Response>, signal: AbortSignal): Promise<Response> {
  try {
    return await call;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof PluginError ? error : new PluginError('unavailable', 'could not be reached');
  }
}

const messages: readonly PlantedFault<ChannelCase>[] = [
  {
    what: 'tells it twice',
    found: ONCE,
    make: () =>
      withSend(async (send, { notification, signal }) => {
        await send(notification, signal);
        return send(notification, signal);
      }),
  },
  { what: 'tells nothing and says that it has', found: ONCE, make: () => withSend(async () => ({ status: 200 })) },
  {
    what: 'asks past the host',
    found: ONCE,
    make: () =>
      withSend(async (send, { notification, signal }) => {
        requestOverHttp('http://127.0.0.1:9/')
          .on('error', () => {})
          .end();
        await sleep(1);
        return send(notification, signal);
      }),
  },
  {
    what: 'asks when it is created',
    found: 'does nothing when it is created',
    make: () =>
      withHead({
        create: (host, settings) => {
          void host.fetch(settings.endpoint).catch(() => {});
          return sampleChannel.create(host, settings);
        },
      }),
  },
  {
    what: 'notes its key in the log',
    found: LOG,
    make: () =>
      withSend((send, { notification, signal, host, settings }) => {
        host.log(`telling by ${settings.token}`);
        return send(notification, signal);
      }),
  },
  {
    what: 'shortens the title in place',
    found: CHANGES_NOTHING,
    make: () =>
      withSend(async (send, { notification, signal }) => {
        const receipt = await send(notification, signal);
        (notification as { title: string }).title = notification.title.slice(0, 5);
        return receipt;
      }),
  },
  {
    what: 'removes fields of the data',
    found: CHANGES_NOTHING,
    make: () =>
      withSend(async (send, { notification, signal }) => {
        const receipt = await send(notification, signal);
        delete (notification.data as Record<string, unknown>).threshold;
        return receipt;
      }),
  },
  {
    what: 'changes its settings',
    found: CHANGES_NOTHING,
    make: () =>
      withSend(async (send, { notification, signal, settings }) => {
        const receipt = await send(notification, signal);
        (settings as { endpoint: string }).endpoint += '/';
        return receipt;
      }),
  },
  {
    what: 'tells by the settings that were given last',
    found: APART,
    make: () =>
      withHead({
        create: (host, settings) => {
          lastSettings = settings;
          return { send: (...told) => sampleChannel.create(host, lastSettings ?? settings).send(...told) };
        },
      }),
  },
  {
    what: 'tells by the settings that were given first',
    found: APART,
    make: () => {
      let first: Settings | undefined;
      return withHead({
        create: (host, settings) => {
          first ??= settings;
          return sampleChannel.create(host, first);
        },
      });
    },
  },
  {
    what: 'tells only once of each notification',
    found: APART,
    make: () => {
      const known = new Set<string>();
      return withSend(async (send, { notification, signal, settings }) => {
        if (known.has(settings.token + notification.id)) return { status: 200 };
        known.add(settings.token + notification.id);
        return send(notification, signal);
      });
    },
  },
  {
    what: 'puts the title into a header',
    found: STRANGE,
    make: () =>
      byHand((post, { notification, settings, signal }) =>
        asUnavailable(
          (async () => post({ headers: { authorization: `Bearer ${settings.token}`, 'x-title': notification.title } }))(),
          signal,
        ),
      ),
  },
  {
    what: 'builds its JSON by hand',
    found: STRANGE,
    make: () =>
      byHand((post, { notification: { id, title }, signal }) => {
        JSON.parse(`{"id":"${id}","text":"${title.replaceAll('"', '\\"')}"}`);
        return asUnavailable(post(), signal);
      }),
  },
  {
    what: 'returns a status that it made up',
    found: RECEIPT,
    make: () =>
      withSend(async (send, { notification, signal }) => {
        await send(notification, signal);
        return { status: 204 };
      }),
  },
  {
    what: 'returns the whole reply',
    found: RECEIPT,
    make: () => withSend(async (send, { notification, signal }) => ({ ...(await send(notification, signal)), reply: 'ok' })),
  },
  {
    what: 'changes the environment and prints',
    found: 'leaves the process as it was',
    make: () =>
      withSend((send, { notification, signal }) => {
        process.env.LAST_ALERT = notification.id;
        // biome-ignore lint/suspicious/noConsole: this is the fault.
        console.log(notification.title);
        return send(notification, signal);
      }),
  },
];

const heads: readonly PlantedFault<ChannelCase>[] = [
  { what: 'has no label', found: 'has a well-formed head and is frozen', make: () => withHead({ label: ' ' }) },
  {
    what: 'is not frozen',
    found: 'has a well-formed head and is frozen',
    make: () => asCase({ ...sampleChannelKit, plugin: { ...sampleChannel } }),
  },
  {
    what: 'has settings that change between reads',
    found: 'has the same head and schema at every read',
    make: () =>
      asCase({
        ...sampleChannelKit,
        plugin: Object.freeze({
          ...sampleChannel,
          get settings() {
            reads += 1;
            return reads % 2 === 0 ? sampleChannel.settings : sampleChannel.settings.extend({ more: z.string().optional() });
          },
        }),
      }),
  },
];

const signatures: readonly PlantedFault<ChannelCase>[] = [
  { what: 'says that it signs, and does not', found: 'signs if it says so', make: () => withHead({ is_signed: true }) },
  {
    what: 'signs, and does not say so',
    found: 'signs if it says so',
    make: () =>
      withSend((send, { notification, signal, host }) => {
        host.sign(notification.id, 0, '');
        return send(notification, signal);
      }),
  },
];

const mails: readonly PlantedFault<ChannelCase>[] = [
  {
    what: 'swallows that a mail was not taken',
    found: REFUSAL,
    make: () => withMail((host, to, { title, text }) => host.sendMail({ to, subject: title, text }).catch(() => {})),
  },
  {
    what: 'sends a mail again without end',
    found: REFUSAL,
    make: () =>
      withMail(async (host, to, { title, text }) => {
        for (let tries = 0; tries < 500; tries += 1) {
          try {
            return await host.sendMail({ to, subject: title, text });
          } catch {
            await sleep(5);
          }
        }
      }),
  },
  {
    what: 'lets a line break in the title add a receiver',
    found: STRANGE,
    make: () =>
      withMail(async (host, to, { title, text }) => {
        const [, more] = /\r\nBcc: (\S+@example\.org)/.exec(title) ?? [];
        return host.sendMail({ to: more ?? to, subject: title, text });
      }),
  },
];

/** Every mistake in a channel that the kit has to find, each planted alone in a channel that is whole. */
export const channelFaults = [...heads, ...failures, ...messages, ...signatures, ...mails];
