import { AppError } from '../kernel/errors.ts';

/** The channel that the field `webhook_url` of an alert stands for. */
export const WEBHOOK = 'webhook';

type Settings = Readonly<Record<string, unknown>>;

/** How an alert notifies, as stored: without the secrets of its settings. */
export interface AlertChannel {
  readonly channel: string | null;
  readonly channel_settings: Settings;
}

export const NO_CHANNEL: AlertChannel = { channel: null, channel_settings: {} };

/** A channel that a request names. */
export interface AskedChannel {
  readonly id: string;
  readonly settings: Settings;
  /** Where problems of a field are shown. */
  readonly locOf: (path: readonly PropertyKey[]) => (string | number)[];
}

/** Fields of the channel in a request. */
export interface ChannelFields {
  readonly webhook_url?: string | null | undefined;
  readonly channel?: string | null | undefined;
  readonly channel_settings?: Settings | null | undefined;
}

/** Reads the channel of a request: another one, null for none any more, undefined for the present one. */
export function askedChannel(
  { webhook_url, channel, channel_settings }: ChannelFields,
  before: AlertChannel,
): AskedChannel | null | undefined {
  if (webhook_url) {
    if (channel === undefined || channel === null || channel === WEBHOOK) return byAddress(webhook_url);
    throw new AppError('invalid', 'channel_ambiguous', `webhook_url says webhook, and channel says ${channel}`);
  }
  if (channel === null) return null;
  const id = channel ?? (channel_settings ? before.channel : undefined);
  if (id === null) throw new AppError('invalid', 'channel_missing', 'channel_settings are given without a channel');
  if (id !== undefined && (channel_settings || id !== before.channel)) return byName(id, channel_settings ?? {});
  return webhook_url === null && before.channel === WEBHOOK ? null : undefined;
}

const byAddress = (url: string): AskedChannel => ({ id: WEBHOOK, settings: { url }, locOf: () => ['body', 'webhook_url'] });

const byName = (id: string, settings: Settings): AskedChannel => ({
  id,
  settings,
  locOf: (path) => ['body', 'channel_settings', ...path.map((name) => (typeof name === 'number' ? name : String(name)))],
});

/** The URL of a webhook; null where the alert has another channel, or none. */
export const webhookUrlOf = ({ channel, channel_settings }: AlertChannel): string | null =>
  channel === WEBHOOK && typeof channel_settings.url === 'string' ? channel_settings.url : null;
