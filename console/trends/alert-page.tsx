import { useState } from 'preact/hooks';
import type { Alert } from '../../core/trends/alert.ts';
import type { WebhookDelivery } from '../../core/trends/webhook.ts';
import type { Widget } from '../../core/trends/widget.ts';
import { get, patch, post, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { navigate, toHref } from '../kit/location.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { trialText } from '../notification-routes/routes.ts';
import { LogStreamHead } from '../projects/log-stream-head.tsx';
import { getLogStream, type LogStreamPath, trendsPath } from './address.ts';
import { AlertDialog } from './alert-dialog.tsx';
import { AlertFacts } from './alert-facts.tsx';
import { Deliveries, Transitions } from './alert-history.tsx';
import { alertFigure, alertPath } from './alerts.ts';
import { type Channels, isSigned, useChannels } from './channels.ts';
import { SecretDialog } from './secret-dialog.tsx';

const LIVE_MS = 15_000;

/** One alert: how it stands and stood, what was told to whom, and everything that can be done to it. */
export function AlertPage({ params }: { params: Record<string, string> }) {
  const stream = getLogStream(params);
  const path = alertPath(stream, params.alert_id!);
  return (
    <LogStreamHead {...stream} part="trends">
      <p>
        <a href={toHref(`${trendsPath(stream)}/alerts`)}>← Alerts</a>
      </p>
      <OneAlert key={path} stream={stream} path={path} />
    </LogStreamHead>
  );
}

function OneAlert({ stream, path }: { stream: LogStreamPath; path: string }) {
  const [turn, setTurn] = useState(0);
  const channels = useChannels();
  const load = async (signal: AbortSignal) => {
    const [alert, { widgets }] = await Promise.all([
      get<Alert>(path, { signal }),
      get<{ widgets: Widget[] }>(`${trendsPath(stream)}/widgets`, { signal }),
    ]);
    return { alert, widget: widgets.find(({ id }) => id === alert.widget_id) };
  };
  const loaded = useLoaded(path, load, { everyMs: LIVE_MS });
  const reload = (): void => {
    loaded.reload();
    setTurn(turn + 1);
  };
  return (
    <Show loaded={loaded}>
      {({ alert, widget }) => (
        <>
          <AlertFacts stream={stream} alert={alert} widget={widget} channels={channels.value} />
          <AlertTools stream={stream} alert={alert} widget={widget} channels={channels.value} reload={reload} />
          <Transitions path={path} turn={turn} figure={alertFigure(alert, widget)} />
          <Deliveries path={path} turn={turn} />
        </>
      )}
    </Show>
  );
}

interface AlertToolsProps {
  readonly stream: LogStreamPath;
  readonly alert: Alert;
  readonly widget: Widget | undefined;
  readonly channels: Channels | undefined;
  readonly reload: () => void;
}

function AlertTools({ stream, alert, widget, channels, reload }: AlertToolsProps) {
  const path = alertPath(stream, alert.id);
  const [editing, setEditing] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [tested, setTested] = useState<WebhookDelivery>();
  const test = useAction(async () => {
    setTested(undefined);
    setTested(await post<WebhookDelivery>(`${path}/test`));
    reload();
  });
  const flip = useAction(async () => {
    await patch(path, { is_enabled: !alert.is_enabled });
    reload();
  });
  const renew = useAction(async () => setSecret((await post<{ webhook_secret: string }>(`${path}/secret`)).webhook_secret));
  const button = 'btn btn-sm btn-outline-secondary';
  return (
    <>
      <div class="d-flex flex-wrap gap-2 my-3">
        <button type="button" class={button} aria-haspopup="dialog" onClick={() => setEditing(true)}>
          Edit
        </button>
        <button type="button" class={button} disabled={flip.busy} onClick={() => flip.run()}>
          {alert.is_enabled ? 'Disable' : 'Enable'}
        </button>
        <button type="button" class={button} disabled={test.busy || alert.channel === null} onClick={() => test.run()}>
          Send a test
        </button>
        <button
          type="button"
          class={button}
          disabled={renew.busy || !isSigned(channels, alert.channel)}
          aria-haspopup="dialog"
          onClick={() => renew.run()}
        >
          New secret
        </button>
        <ConfirmButton
          label="Delete"
          question={`Delete ${alert.name} with its history?`}
          onConfirm={async () => {
            await remove(path);
            navigate(`${trendsPath(stream)}/alerts`);
          }}
        />
      </div>
      {[test, flip, renew].map(({ error }, index) => (
        <Failure key={['test', 'flip', 'renew'][index]} error={error} />
      ))}
      {tested && (
        <p class={`alert py-2 ${tested.status === 'delivered' ? 'alert-success' : 'alert-warning'}`} role="status">
          {trialText(tested)}
        </p>
      )}
      {editing && (
        <AlertDialog stream={stream} widget={widget} alert={alert} onClose={() => setEditing(false)} onSaved={reload} />
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
