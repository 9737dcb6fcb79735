import { useState } from 'preact/hooks';
import type { Alert } from '../../core/trends/alert.ts';
import type { NotificationChannelView } from '../../core/trends/alert-channels.ts';
import { SettingsInputs } from '../admin/settings-inputs.tsx';
import { Check } from '../kit/check.tsx';
import { Choice } from '../kit/choice.tsx';
import { asKnown, type Channels, channelFields, channelLabel, holdsSecret } from './channels.ts';

/** The channel that an alert notifies, with its settings. */
export function ChannelInputs({ channels, alert }: { channels: Channels; alert: Alert | undefined }) {
  const before = alert?.channel ?? '';
  const [id, setId] = useState(before);
  const chosen = channels.find((channel) => channel.id === id);
  const isGone = before !== '' && !channels.some((channel) => channel.id === before);
  const choices = [
    { id: '', label: 'Nobody' },
    ...channels.map((channel) => ({ id: channel.id, label: channel.label })),
    ...(isGone ? [{ id: before, label: `${channelLabel(channels, before)} (not installed)` }] : []),
  ];
  return (
    <>
      <Choice
        label="Tells by"
        name="channel"
        value={id}
        choices={choices}
        onChoose={setId}
        help={chosen?.summary ?? 'When it fires, when there is no data, and when that is over.'}
      />
      {chosen && <ChannelSettings key={id} channel={chosen} alert={id === before ? alert : undefined} />}
    </>
  );
}

/** Settings with a secret are given whole or stay as they are: what is stored of them is never shown. */
function ChannelSettings({ channel, alert }: { channel: NotificationChannelView; alert: Alert | undefined }) {
  const stays = alert !== undefined && holdsSecret(channel);
  const [anew, setAnew] = useState(!stays);
  return (
    <>
      {stays && <Check label={`Set ${channel.label} anew`} class="mb-3" checked={anew} onCheck={setAnew} />}
      {anew && (
        <>
          <input type="hidden" name="has_settings" value="yes" />
          <SettingsInputs fields={channelFields(channel)} known={asKnown(alert?.channel_settings ?? null)} />
        </>
      )}
    </>
  );
}
