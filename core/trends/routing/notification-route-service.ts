import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { atLeast, type CollaboratorRole } from '../../access/role.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import { type AlertChannel, askedChannel, NO_CHANNEL } from '../alert-channel.ts';
import type { AcceptedChannel, AlertChannels } from '../alert-channels.ts';
import type { NotificationSender } from '../notification-sender.ts';
import type { WebhookSigner } from '../webhook.ts';
import {
  askedSeverities,
  type NewNotificationRoute,
  type NotificationRoute,
  type NotificationRouteTrial,
  type NotificationRouteUpdate,
  type NotificationRouteWithSecret,
  SEVERITIES,
  type StoredRoute,
} from './notification-route.ts';
import type { NotificationRouteStore } from './notification-route-store.ts';

export interface NotificationRouteDeps {
  readonly notificationRouteStore: NotificationRouteStore;
  readonly alertChannels: AlertChannels;
  readonly notificationSender: NotificationSender;
  readonly webhookSigner: WebhookSigner;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Bounds how much one alert sends at once. */
const MAX_ROUTES = 20;

/** Routes of a project: where its alerts go by their severity. */
export class NotificationRouteService {
  readonly #deps: NotificationRouteDeps;

  constructor(deps: NotificationRouteDeps) {
    this.#deps = deps;
  }

  async createRoute(caller: Caller, project_id: string, input: NewNotificationRoute): Promise<NotificationRouteWithSecret> {
    const { notificationRouteStore, alertChannels, webhookSigner, newId } = this.#deps;
    await this.#authorizeEdit(caller, project_id);
    const severities = askedSeverities(input) ?? SEVERITIES;
    if ((await notificationRouteStore.list(project_id)).length >= MAX_ROUTES)
      throw new AppError('invalid', 'too_many_notification_routes', `a project has at most ${MAX_ROUTES} notification routes`);
    const accepted = await this.#accepted({ ...input, channel_settings: input.channel_settings ?? {} }, NO_CHANNEL);
    const [id, now, webhook_secret] = [newId(), this.#now(), webhookSigner.newSecret()];
    const { secrets, channel_settings } = alertChannels.seal(id, webhook_secret, accepted ?? null);
    const own = { name: input.name, severities, channel: input.channel, channel_settings };
    const route = { project_id, id, settings: { ...own, created_by: caller.user_id, created_at: now, updated_at: now } };
    await this.#deps.transactions.run(async () => {
      await notificationRouteStore.insert(route, secrets);
      await this.#note(caller, 'create', route);
    });
    return { route: shown(route, 'owner'), webhook_secret };
  }

  async listRoutes(caller: Caller, project_id: string): Promise<{ routes: NotificationRoute[] }> {
    const role = await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const routes = await this.#deps.notificationRouteStore.list(project_id);
    return { routes: routes.map((route) => shown(route, role)) };
  }

  async getRoute(caller: Caller, project_id: string, id: string): Promise<NotificationRoute> {
    const role = await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return shown(await this.#found(project_id, id), role);
  }

  async updateRoute(caller: Caller, project_id: string, id: string, update: NotificationRouteUpdate): Promise<NotificationRoute> {
    const { notificationRouteStore, alertChannels, transactions } = this.#deps;
    await this.#authorizeEdit(caller, project_id);
    const { settings: before } = await this.#found(project_id, id);
    const severities = askedSeverities(update) ?? before.severities;
    const accepted = await this.#accepted(update, before);
    const channel = accepted ? alertChannels.shown(accepted) : {};
    const name = update.name ?? before.name;
    const settings = { ...before, ...channel, channel: accepted?.plugin.id ?? before.channel, name, severities };
    const changed = await transactions.run(async () => {
      const route = await notificationRouteStore.update(project_id, id, { ...settings, updated_at: this.#now() });
      if (!route) throw routeNotFound(id);
      if (accepted)
        await notificationRouteStore.changeSecrets(project_id, id, (read) => alertChannels.resealed(id, read, accepted));
      await this.#note(caller, 'update', route);
      return route;
    });
    return shown(changed, 'owner');
  }

  async deleteRoute(caller: Caller, project_id: string, id: string): Promise<void> {
    await this.#authorizeEdit(caller, project_id);
    const route = await this.#found(project_id, id);
    await this.#deps.transactions.run(async () => {
      if (!(await this.#deps.notificationRouteStore.remove(project_id, id))) throw routeNotFound(id);
      await this.#note(caller, 'delete', route);
    });
  }

  /** Renews the secret by which later events are signed. */
  async renewSecret(caller: Caller, project_id: string, id: string): Promise<{ webhook_secret: string }> {
    const { notificationRouteStore, alertChannels, webhookSigner, transactions } = this.#deps;
    await this.#authorizeEdit(caller, project_id);
    const route = await this.#found(project_id, id);
    const webhook_secret = webhookSigner.newSecret();
    await transactions.run(async () => {
      await notificationRouteStore.changeSecrets(project_id, id, (read) => alertChannels.resigned(id, read, webhook_secret));
      await this.#note(caller, 'renew_secret', route);
    });
    return { webhook_secret };
  }

  /** Sends a notification that says it is a test, once, and returns what came of it. */
  async testRoute(caller: Caller, project_id: string, id: string): Promise<NotificationRouteTrial> {
    await this.#authorizeEdit(caller, project_id);
    return this.#deps.notificationSender.tryRoute(this.#deps.newId(), await this.#found(project_id, id));
  }

  #authorizeEdit(caller: Caller, project_id: string): Promise<CollaboratorRole> {
    return this.#deps.authorizer.authorize(caller, 'project', project_id, 'edit_alert');
  }

  async #found(project_id: string, id: string): Promise<StoredRoute> {
    const route = await this.#deps.notificationRouteStore.find(project_id, id);
    if (!route) throw routeNotFound(id);
    return route;
  }

  /** The channel that a request names, checked; undefined for the one that is there: a route is never without. */
  async #accepted(
    { channel, channel_settings }: Pick<NotificationRouteUpdate, 'channel' | 'channel_settings'>,
    before: AlertChannel,
  ): Promise<AcceptedChannel | undefined> {
    const asked = askedChannel({ channel: channel ?? undefined, channel_settings }, before);
    return asked ? this.#deps.alertChannels.accept(asked) : undefined;
  }

  #note(caller: Caller, verb: string, { project_id, id, settings }: StoredRoute): Promise<void> {
    return this.#deps.auditTrail.note(caller, {
      action: `notification_route.${verb}`,
      object_kind: 'project',
      object_id: project_id,
      details: { route_id: id, name: settings.name },
    });
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}

const routeNotFound = (id: string): AppError =>
  new AppError('not_found', 'notification_route_not_found', `notification route ${id} does not exist`);

function shown({ project_id, id, settings }: StoredRoute, role: CollaboratorRole): NotificationRoute {
  const { channel_settings, severities, ...facts } = settings;
  return {
    ...{ id, project_id, ...facts, severities: [...severities] },
    channel_settings: atLeast(role, 'editor') ? { ...channel_settings } : null,
  };
}
