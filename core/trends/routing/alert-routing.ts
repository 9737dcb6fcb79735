import type { StoredAlert } from '../alert.ts';
import type { Notice } from '../alert-state.ts';
import type { NotificationRouteStore } from './notification-route-store.ts';

/** One to whom a notification goes; each gets a delivery of its own. Null: the channel of the alert. */
export interface Recipient {
  readonly route_id: string | null;
  readonly route_name: string | null;
}

const OWN_CHANNEL: Recipient = { route_id: null, route_name: null };

/** Chooses who is told: the channel of an alert, and for those without one the routes of the project. */
export class AlertRouting {
  readonly #routeStore: NotificationRouteStore;

  constructor({ notificationRouteStore }: { notificationRouteStore: NotificationRouteStore }) {
    this.#routeStore = notificationRouteStore;
  }

  /**
   * Routes are chosen by the severity that the alert has now. That it is over is told by those that told that it was not, whatever was
   * changed in between: else an incident that one of them opened would stay open.
   */
  async listRecipients({ project_id, settings, progress }: StoredAlert, { told_state }: Notice): Promise<Recipient[]> {
    const { channel, severity } = settings;
    const isOver = told_state === 'ok';
    const own = channel === null ? [] : [OWN_CHANNEL];
    if (isOver ? progress.told_routes.length === 0 : channel !== null) return own;
    const routes = await this.#routeStore.list(project_id);
    const chosen = routes.filter(({ id, settings: { severities } }) =>
      isOver ? progress.told_routes.includes(id) : severities.includes(severity),
    );
    return [...own, ...chosen.map(({ id, settings: { name } }) => ({ route_id: id, route_name: name }))];
  }
}

/** The routes that have to tell that an alert is over, once these were told. */
export function toToldRoutes(
  before: readonly string[],
  { told_state }: Notice,
  recipients: readonly Recipient[],
): readonly string[] {
  if (told_state === 'ok') return [];
  return [...new Set([...before, ...recipients.flatMap(({ route_id }) => route_id ?? [])])];
}
