import type { Mailer } from '../access/users/mailer.ts';
import { guardedHost } from '../integrations/guarded-host.ts';
import { settingsWith } from '../integrations/integration-settings.ts';
import { callPlugin, type Guard, pluginFailure, readGiven } from '../integrations/plugin-guard.ts';
import type { SealedSecrets, SecretBox } from '../integrations/secret-box.ts';
import { redacted, secretWords } from '../integrations/secret-words.ts';
import { AppError } from '../kernel/errors.ts';
import type { PluginRegistry } from '../kernel/plugin-registry.ts';
import type { Log } from '../kernel/ports.ts';
import {
  type NotificationChannel,
  type NotificationChannelPlugin,
  type NotificationHost,
  type OutgoingMail,
  PluginError,
  type PluginHost,
  z,
} from '../plugin-sdk/index.ts';
import type { StoredAlert } from './alert.ts';
import type { AlertChannel } from './alert-channel.ts';
import { toSecretsOfChannel } from './alert-channels.ts';
import type { AlertStore } from './alert-store.ts';
import type { StoredRoute } from './routing/notification-route.ts';
import type { NotificationRouteStore } from './routing/notification-route-store.ts';
import type { WebhookSigner } from './webhook.ts';

export interface ChannelOpenerDeps {
  readonly notificationChannels: PluginRegistry<NotificationChannelPlugin>;
  readonly alertStore: AlertStore;
  readonly notificationRouteStore: NotificationRouteStore;
  readonly pluginHost: PluginHost;
  readonly webhookSigner: WebhookSigner;
  readonly mailer: Mailer;
  readonly secretBox: SecretBox;
  readonly log: Log;
}

const Receipt = z.object({ status: z.int().min(100).max(599).nullish() }).nullish();

/** Whose channel it is. */
interface Holder {
  readonly id: string;
  readonly settings: AlertChannel;
  /** For the log. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Makes the channels of alerts and routes. What a plugin throws, returns and logs passes a guard that knows the secrets of the channel. */
export class ChannelOpener {
  readonly #deps: ChannelOpenerDeps;

  constructor(deps: ChannelOpenerDeps) {
    this.#deps = deps;
  }

  /** Rejects with a PluginError when the alert has no channel, it is not installed, cannot be made, or its settings do not fit any more. */
  async open({ project_id, id, settings }: StoredAlert): Promise<NotificationChannel> {
    const sealed = await this.#deps.alertStore.findSecrets(project_id, id);
    return this.#make({ id, settings, facts: { alert_id: id } }, sealed);
  }

  /** The same, of a route. */
  async openRoute({ project_id, id, settings }: StoredRoute): Promise<NotificationChannel> {
    const sealed = await this.#deps.notificationRouteStore.findSecrets(project_id, id);
    return this.#make({ id, settings, facts: { route_id: id } }, sealed);
  }

  #make({ id, settings: { channel, channel_settings }, facts }: Holder, sealed: SealedSecrets | undefined): NotificationChannel {
    if (channel === null) throw new PluginError('unsupported', 'the alert has no channel any more');
    const plugin = this.#deps.notificationChannels.find(channel);
    if (!plugin) throw new PluginError('unsupported', `no plugin for channel "${channel}" is installed`);
    const { signing, settings } = toSecretsOfChannel(sealed ? this.#deps.secretBox.open(id, sealed) : []);
    const words = secretWords([signing, ...settings.map(({ text }) => JSON.parse(text))]);
    const guard: Guard = { log: this.#deps.log, facts: { ...facts, channel }, redact: (text) => redacted(text, words) };
    try {
      const parsed = plugin.settings.safeParse(settingsWith(channel_settings, settings));
      if (!parsed.success) throw new PluginError('unsupported', 'the settings do not fit the channel any more');
      return guarded(plugin.create(this.#hostFor(guard, signing), parsed.data), guard);
    } catch (error) {
      throw pluginFailure(error, guard);
    }
  }

  #hostFor({ redact }: Guard, signing: string): NotificationHost {
    const { pluginHost, webhookSigner, mailer } = this.#deps;
    return {
      ...guardedHost(pluginHost, redact),
      sign: (id, timestamp, body) => webhookSigner.sign(signing, id, timestamp, body),
      sendMail: (mail) => handOver(mailer, mail),
    };
  }
}

const guarded = (channel: NotificationChannel, guard: Guard): NotificationChannel => ({
  async send(notification, signal) {
    const given = await callPlugin(guard, signal, () => channel.send(notification, signal));
    return { status: readGiven(guard, 'a receipt', Receipt, given)?.status ?? undefined };
  },
});

async function handOver(mailer: Mailer, { to, subject, text }: OutgoingMail): Promise<void> {
  try {
    await mailer.send({ to, subject, text });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new PluginError(error.kind === 'unavailable' ? 'unavailable' : 'unsupported', error.message);
  }
}
