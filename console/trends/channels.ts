import type { Alert } from '../../core/trends/alert.ts';
import type { NotificationChannelView } from '../../core/trends/alert-channels.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { type SettingsField, type SettingsSchema, toSettingsFields } from '../settings/settings-schema.ts';
import { readSettings } from '../settings/settings-values.ts';

export type Channels = readonly NotificationChannelView[];
/** A channel as it is stored, of an alert or of a route. */
export type KnownChannel = Pick<Alert, 'channel' | 'channel_settings'>;

/** The ways to tell people of alerts that are installed. */
export const useChannels = () =>
  useLoaded(
    'notification channels',
    async (signal) => (await get<{ channels: Channels }>('/notification_channels', { signal })).channels,
  );

/** Whether what goes by the channel is signed by a secret. */
export const isSigned = (channels: Channels | undefined, id: string | null): boolean =>
  channels?.some((channel) => channel.id === id && channel.is_signed) === true;

/** By what an alert tells. */
export const tellsByText = (channels: Channels | undefined, { channel }: Pick<Alert, 'channel'>): string =>
  channel === null ? 'routes of the project' : channelLabel(channels, channel);

/** How a channel is called; its id where it is not installed any more. */
export const channelLabel = (channels: Channels | undefined, id: string): string =>
  channels?.find((channel) => channel.id === id)?.label ?? id;

/** Before the name of a setting in the form of an alert, which has fields of its own. */
const SETTINGS = 'channel_settings';

export const channelFields = ({ settings_schema }: NotificationChannelView): SettingsField[] =>
  toSettingsFields(settings_schema as SettingsSchema, [SETTINGS]);

/** Current settings, keyed as the fields name them. */
export const asKnown = (settings: Readonly<Record<string, unknown>> | null) => ({ [SETTINGS]: settings ?? {} });

const isSecret = (field: SettingsField): boolean => {
  if (field.kind === 'group') return field.fields.some(isSecret);
  if (field.kind === 'forms') return field.forms.flat().some(isSecret);
  return field.kind === 'secret';
};

/** Whether settings cannot be shown whole: then they are set anew, or stay. */
export const holdsSecret = (channel: NotificationChannelView): boolean => channelFields(channel).some(isSecret);

/** The channel that a form names, with its settings where the form has them; none where it names none. */
export function readChannel(values: FormData, channels: Channels) {
  const id = String(values.get('channel') ?? '');
  const chosen = channels.find((channel) => channel.id === id);
  if (id === '') return { channel: null };
  if (!chosen || !values.has('has_settings')) return { channel: id };
  const text = (name: string): string | null => (values.has(name) ? String(values.get(name)) : null);
  return { channel: id, channel_settings: readSettings(channelFields(chosen), text) };
}
