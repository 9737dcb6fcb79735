import { useRef, useState } from 'preact/hooks';
import type { NotificationRoute, NotificationRouteWithSecret } from '../../core/trends/routing/notification-route.ts';
import { patch, post } from '../api/client.ts';
import { Check } from '../kit/check.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { ChannelInputs } from '../trends/channel-inputs.tsx';
import { type Channels, isSigned, readChannel } from '../trends/channels.ts';
import { SecretDialog } from '../trends/secret-dialog.tsx';
import { routePath, routesPath, SEVERITIES, toRoute } from './routes.ts';

interface RouteDialogProps {
  readonly project_id: string;
  readonly channels: Channels;
  /** The one to be changed; absent for a new one. */
  readonly route?: NotificationRoute;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Makes or changes a route; of a new one whose channel signs what it sends the secret is shown, which the service tells only once. */
export function RouteDialog({ project_id, channels, route, onClose, onSaved }: RouteDialogProps) {
  const made = useRef<string | undefined>(undefined);
  const [secret, setSecret] = useState<string>();
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />;
  const save = async (values: FormData): Promise<void> => {
    const told = readChannel(values, channels);
    const given = { ...toRoute(values), ...told };
    if (route) await patch(routePath(route), given);
    else {
      const { webhook_secret } = await post<NotificationRouteWithSecret>(routesPath(project_id), given);
      if (isSigned(channels, told.channel)) made.current = webhook_secret;
    }
    onSaved();
  };
  return (
    <FormDialog
      title={route ? `Edit ${route.name}` : 'Add route'}
      verb={route ? 'Save' : 'Add'}
      onClose={() => (made.current ? setSecret(made.current) : onClose())}
      onSubmit={save}
    >
      <TextField label="Name" name="name" value={route?.name ?? ''} required />
      <fieldset class="mb-3">
        <legend class="form-label fs-6">Severities</legend>
        <div class="d-flex gap-3 flex-wrap">
          {SEVERITIES.map((one) => (
            <Check key={one} name="severity" label={one} value={one} checked={route?.severities.includes(one) ?? true} />
          ))}
        </div>
      </fieldset>
      <ChannelInputs channels={channels} known={route} />
    </FormDialog>
  );
}
