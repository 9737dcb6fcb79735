import { useRef, useState } from 'preact/hooks';
import type { Alert } from '../../core/trends/alert.ts';
import type { Widget } from '../../core/trends/widget.ts';
import { patch, post } from '../api/client.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Show } from '../kit/notices.tsx';
import { type LogStreamPath, trendsPath } from './address.ts';
import { AlertFields } from './alert-fields.tsx';
import { alertPath, toAlert } from './alerts.ts';
import { isSigned, readChannel, useChannels } from './channels.ts';
import { SecretDialog } from './secret-dialog.tsx';

interface AlertDialogProps {
  readonly stream: LogStreamPath;
  /** The watched widget; undefined when it is deleted. */
  readonly widget: Widget | undefined;
  /** The one to be changed; absent for a new one. */
  readonly alert?: Alert;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Makes or changes an alert; of a new one whose channel signs what it sends the secret is shown, which the service tells only once. */
export function AlertDialog({ stream, widget, alert, onClose, onSaved }: AlertDialogProps) {
  const made = useRef<string | undefined>(undefined);
  const [secret, setSecret] = useState<string>();
  const channels = useChannels();
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />;
  const save = async (values: FormData): Promise<void> => {
    const told = readChannel(values, channels.value ?? []);
    const given = { ...toAlert(values, widget), ...told };
    if (alert) await patch(alertPath(stream, alert.id), given);
    else {
      const body = { ...given, widget_id: widget?.id };
      const { webhook_secret } = await post<{ webhook_secret: string }>(`${trendsPath(stream)}/alerts`, body);
      if (isSigned(channels.value, told.channel)) made.current = webhook_secret;
    }
    onSaved();
  };
  // The form closes itself once it is saved; then comes the secret.
  const close = (): void => (made.current ? setSecret(made.current) : onClose());
  return (
    <FormDialog
      title={alert ? `Edit ${alert.name}` : `Alert on ${widget?.name}`}
      verb={alert ? 'Save' : 'Create'}
      onClose={close}
      onSubmit={save}
    >
      <Show loaded={channels}>{(installed) => <AlertFields widget={widget} alert={alert} channels={installed} />}</Show>
    </FormDialog>
  );
}
