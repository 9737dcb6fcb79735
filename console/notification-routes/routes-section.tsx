import { useState } from 'preact/hooks';
import type { NotificationRoute, NotificationRouteTrial } from '../../core/trends/routing/notification-route.ts';
import { get, post, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Failure, Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { type Channels, channelLabel, isSigned, useChannels } from '../trends/channels.ts';
import { SecretDialog } from '../trends/secret-dialog.tsx';
import { RouteDialog } from './route-dialog.tsx';
import { routePath, routesPath, severitiesText, trialText } from './routes.ts';

interface RoutesSectionProps {
  readonly project_id: string;
  readonly mayChange: boolean;
}

/** Where alerts of a project go that have no channel of their own. */
export function RoutesSection({ project_id, mayChange }: RoutesSectionProps) {
  const path = routesPath(project_id);
  const loaded = useLoaded(path, async (signal) => (await get<{ routes: NotificationRoute[] }>(path, { signal })).routes);
  const channels = useChannels();
  const [adding, setAdding] = useState(false);
  return (
    <section class="mb-4" aria-label="Alert routes">
      <h2 class="h6">Alert routes</h2>
      <p class="text-body-secondary">Alerts without a channel of their own are told by each route that has their severity.</p>
      <Show loaded={loaded}>
        {(routes) =>
          routes.length > 0 && (
            <Table class="table table-rows">
              <TableHeaders of={['Name', 'Severities', 'Channel']} actions={mayChange} />
              <tbody>
                {routes.map((route) => (
                  <RouteRow
                    key={route.id}
                    route={route}
                    channels={channels.value}
                    mayChange={mayChange}
                    onChanged={loaded.reload}
                  />
                ))}
              </tbody>
            </Table>
          )
        }
      </Show>
      {mayChange && (
        <button
          type="button"
          class="btn btn-sm btn-outline-secondary"
          disabled={!channels.value}
          aria-haspopup="dialog"
          onClick={() => setAdding(true)}
        >
          Add route
        </button>
      )}
      <Failure error={channels.error} onRetry={channels.reload} />
      {adding && channels.value && (
        <RouteDialog project_id={project_id} channels={channels.value} onClose={() => setAdding(false)} onSaved={loaded.reload} />
      )}
    </section>
  );
}

interface RouteRowProps {
  readonly route: NotificationRoute;
  /** Undefined while they are loaded. */
  readonly channels: Channels | undefined;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

const RouteRow = ({ route, channels, mayChange, onChanged }: RouteRowProps) => (
  <tr>
    <td dir="auto">{route.name}</td>
    <td>{severitiesText(route.severities)}</td>
    <td>{channelLabel(channels, route.channel)}</td>
    {mayChange && (
      <td class="text-end">
        <RouteTools route={route} channels={channels} onChanged={onChanged} />
      </td>
    )}
  </tr>
);

function RouteTools({ route, channels, onChanged }: Omit<RouteRowProps, 'mayChange'>) {
  const path = routePath(route);
  const [editing, setEditing] = useState(false);
  const [tested, setTested] = useState<NotificationRouteTrial>();
  const [secret, setSecret] = useState<string>();
  const test = useAction(async () => {
    setTested(undefined);
    setTested(await post<NotificationRouteTrial>(`${path}/test`));
  });
  const renew = useAction(async () => setSecret((await post<{ webhook_secret: string }>(`${path}/secret`)).webhook_secret));
  const button = 'btn btn-sm btn-link p-0 text-decoration-none';
  return (
    <>
      <div class="d-flex gap-3 flex-wrap justify-content-end">
        <button type="button" class={button} disabled={!channels} aria-haspopup="dialog" onClick={() => setEditing(true)}>
          Edit
        </button>
        <button type="button" class={button} disabled={test.busy} onClick={() => void test.run()}>
          Send a test
        </button>
        {isSigned(channels, route.channel) && (
          <button type="button" class={button} disabled={renew.busy} onClick={() => void renew.run()}>
            New secret
          </button>
        )}
        <ConfirmButton
          label="Delete"
          quiet
          question={`Nothing will be told by ${route.name} any more.`}
          onConfirm={async () => {
            await remove(path);
            onChanged();
          }}
        />
      </div>
      <Failure error={test.error} />
      <Failure error={renew.error} />
      {tested && (
        <p class="small mb-0" role="status">
          {trialText(tested)}
        </p>
      )}
      {editing && channels && (
        <RouteDialog
          project_id={route.project_id}
          channels={channels}
          route={route}
          onClose={() => setEditing(false)}
          onSaved={onChanged}
        />
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
