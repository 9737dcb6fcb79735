import { z } from 'zod';
import { addressesIn, secretsIn } from '../integrations/integration-settings.ts';
import type { Outbound } from '../integrations/outbound.ts';
import type { SealedSecrets, Secret, SecretBox } from '../integrations/secret-box.ts';
import { AppError, type Issue } from '../kernel/errors.ts';
import type { Explain } from '../kernel/explain.ts';
import type { PluginRegistry } from '../kernel/plugin-registry.ts';
import { tolerant } from '../kernel/tolerant.ts';
import { jsonSchemaOf, type NotificationChannelPlugin, withoutSecrets } from '../plugin-sdk/index.ts';
import { type AlertChannel, type AskedChannel, NO_CHANNEL } from './alert-channel.ts';

type Settings = AlertChannel['channel_settings'];

export const NotificationChannelView = z
  .object({
    id: z.string(),
    label: z.string(),
    summary: z.string(),
    stability: z.enum(['experimental', 'stable', 'deprecated']),
    /** JSON Schema of `channel_settings`; secrets are `writeOnly`. */
    settings_schema: z.record(z.string(), z.unknown()),
    /** Whether it signs by the secret of the alert. */
    is_signed: z.boolean(),
  })
  .meta({ id: 'NotificationChannel', description: 'A way to tell people of alerts.' });
export type NotificationChannelView = z.output<typeof NotificationChannelView>;

export interface AlertChannelsDeps {
  readonly notificationChannels: PluginRegistry<NotificationChannelPlugin>;
  readonly secretBox: SecretBox;
  readonly outbound: Outbound;
  readonly explain: Explain;
}

/** A channel with its whole settings, checked. */
export interface AcceptedChannel {
  readonly plugin: NotificationChannelPlugin;
  readonly settings: unknown;
}

/** Where the secret for an alert's signatures is sealed, and where those of its channel's settings are. */
const SIGNING_SECRET = ['webhook_secret'];
const CHANNEL_SETTINGS = 'channel_settings';

const isSigningSecret = ({ path }: Secret): boolean => path[0] === SIGNING_SECRET[0];

/** The secrets of an alert that were opened: what its notifications are signed by, and those of the settings of its channel. */
export const toSecretsOfChannel = (
  opened: readonly Secret[],
): { readonly signing: string; readonly settings: readonly Secret[] } => ({
  signing: opened.find(isSigningSecret)?.text ?? '',
  settings: opened.flatMap(({ path: [first, ...path], text }) => (first === CHANNEL_SETTINGS ? [{ path, text }] : [])),
});

/** Checks what requests say of channels, and takes the secrets out of it. */
export class AlertChannels {
  readonly #deps: AlertChannelsDeps;

  constructor(deps: AlertChannelsDeps) {
    this.#deps = deps;
  }

  list(): NotificationChannelView[] {
    return this.#deps.notificationChannels.list().map(({ id, label, summary, stability, settings, is_signed = false }) => ({
      ...{ id, label, summary, stability, is_signed },
      settings_schema: { ...jsonSchemaOf(settings) },
    }));
  }

  /** Rejects with AppError `invalid` where there is no such channel, the settings do not fit, or they name a URL that may not be called. */
  async accept(asked: AskedChannel): Promise<AcceptedChannel> {
    const plugin = this.#deps.notificationChannels.find(asked.id);
    if (!plugin) throw new AppError('invalid', 'channel_unknown', `there is no notification channel "${asked.id}"`);
    const settings = this.#parsed(plugin, asked);
    await this.#refuseAddresses(settings, asked);
    return { plugin, settings };
  }

  /** `signing`: what the notifications of the alert are signed by. */
  seal(alert_id: string, signing: string, accepted: AcceptedChannel | null): AlertChannel & { readonly secrets: SealedSecrets } {
    const own = [{ path: SIGNING_SECRET, text: signing }];
    const found = accepted ? secretsIn(accepted.plugin.settings, accepted.settings) : [];
    const secrets = found.map(({ path, text }) => ({ path: [CHANNEL_SETTINGS, ...path], text }));
    return { ...this.shown(accepted), secrets: this.#deps.secretBox.seal(alert_id, [...own, ...secrets]) };
  }

  /** Returns the settings that may be stored in clear, and shown to editors. */
  shown(accepted: AcceptedChannel | null): AlertChannel {
    if (!accepted) return NO_CHANNEL;
    const { plugin, settings } = accepted;
    return { channel: plugin.id, channel_settings: withoutSecrets(plugin.settings, settings) as Settings };
  }

  /** With other settings, and the secret for signatures that was there. */
  resealed(alert_id: string, read: SealedSecrets, accepted: AcceptedChannel | null): SealedSecrets {
    const signing = this.#deps.secretBox.open(alert_id, read).find(isSigningSecret)?.text ?? '';
    return this.seal(alert_id, signing, accepted).secrets;
  }

  /** With another secret for signatures. */
  resigned(alert_id: string, read: SealedSecrets, signing: string): SealedSecrets {
    const others = this.#deps.secretBox.open(alert_id, read).filter((secret) => !isSigningSecret(secret));
    return this.#deps.secretBox.seal(alert_id, [{ path: SIGNING_SECRET, text: signing }, ...others]);
  }

  /** Nothing of what was sent is repeated: secrets are among it. */
  #parsed({ settings }: NotificationChannelPlugin, asked: AskedChannel): unknown {
    const schema = tolerant(settings);
    const parsed = schema.safeParse(asked.settings);
    if (parsed.success) return parsed.data;
    const issues = this.#deps
      .explain(schema, asked.settings, [])
      .map(({ input: _input, loc, ...issue }): Issue => ({ ...issue, loc: asked.locOf(loc) }));
    throw new AppError('invalid', 'request_invalid', 'the request is not valid', { issues });
  }

  /** Looked at when it is given and each time it is called: a name may come to mean another place. */
  async #refuseAddresses(settings: unknown, { locOf }: AskedChannel): Promise<void> {
    const addresses = addressesIn(settings);
    const allowed = await Promise.all(addresses.map(({ url }) => this.#deps.outbound.allows(url)));
    const issues = addresses
      .filter((_, index) => !allowed[index])
      .map(({ path }): Issue => ({ loc: locOf(path), msg: 'is not a URL that may be called', type: 'url_refused' }));
    if (issues.length > 0) throw new AppError('invalid', 'url_refused', 'a URL may not be called', { issues });
  }
}
