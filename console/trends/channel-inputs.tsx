import { useState } from 'preact/hooks';
import type { NotificationChannelView } from '../../core/trends/alert-channels.ts';
import { Check } from '../kit/check.tsx';
import { Choice } from '../kit/choice.tsx';
import { SettingsInputs } from '../settings/settings-inputs.tsx';
import { asKnown, type Channels, channelFields, channelLabel, holdsSecret, type KnownChannel } from './channels.ts';

interface ChannelInputsProps {
  readonly channels: Channels;
  /** As stored; undefined for something new. */
  readonly known: KnownChannel | undefined;
  /** How having no channel is called; absent where there has to be one. */
  readonly none?: string;
}

/** The channel that an alert or a route notifies, with its settings. */
export function ChannelInputs({ channels, known, none }: ChannelInputsProps) {
  const before = known?.channel ?? '';
  const [id, setId] = useState(before || (none === undefined ? (channels[0]?.id ?? '') : ''));
  const chosen = channels.find((channel) => channel.id === id);
  const isGone = before !== '' && !channels.some((channel) => channel.id === before);
  const choices = [
    ...(none === undefined ? [] : [{ id: '', label: none }]),
    ...channels.map((channel) => ({ id: channel.id, label: channel.label })),
    ...(isGone ? [{ id: before, label: `${channelLabel(channels, before)} (not installed)` }] : []),
  ];
  return (
    <>
      <Choice
        label="Channel"
        name="channel"
        value={id}
        choices={choices}
        onChoose={setId}
        help={chosen?.summary ?? 'When it fires, when there is no data, and when that is over.'}
      />
      {chosen && <ChannelSettings key={id} channel={chosen} known={id === before ? known : undefined} />}
    </>
  );
}

/** Settings with a secret are given whole or stay as they are: what is stored of them is never shown. */
function ChannelSettings({ channel, known }: { channel: NotificationChannelView; known: KnownChannel | undefined }) {
  const stays = known !== undefined && holdsSecret(channel);
  const [anew, setAnew] = useState(!stays);
  return (
    <>
      {stays && <Check label={`Set ${channel.label} anew`} class="mb-3" checked={anew} onCheck={setAnew} />}
      {anew && (
        <>
          <input type="hidden" name="has_settings" value="yes" />
          <SettingsInputs fields={channelFields(channel)} known={asKnown(known?.channel_settings ?? null)} />
        </>
      )}
    </>
  );
}
