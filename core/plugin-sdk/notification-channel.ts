import type { z } from 'zod';
import type { PluginHead, PluginHost } from './plugin.ts';

/** Events of an alert; `alert.test` is sent by people who try the channel. */
export type NotificationType = 'alert.firing' | 'alert.no_data' | 'alert.resolved' | 'alert.test';

/** One thing to tell. */
export interface Notification {
  /** The same at every try: the upstream service knows by it what it has already. */
  readonly id: string;
  readonly type: NotificationType;
  /** When it happened, in ISO 8601. */
  readonly timestamp: string;
  /** Summary of the event in one line, made for people. It holds names that users gave: quote it where the upstream service reads markup. */
  readonly title: string;
  /** The same in some lines, with the URL of the alert where that is known. */
  readonly text: string;
  /** The same for programs: `alert_id`, `alert_name`, `project_id`, `state`, `value`, `threshold` and others. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface OutgoingMail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Services of the host that a notification channel may use beside those of all plugins. */
export interface NotificationHost extends PluginHost {
  /** The header `webhook-signature` of Standard Webhooks, by the secret of the alert; the time in seconds since 1970. */
  readonly sign: (id: string, timestamp: number, body: string) => string;
  /** Hands one mail to the mail server of the service. Rejects with a PluginError, which a plugin MUST let pass. */
  readonly sendMail: (mail: OutgoingMail) => Promise<void>;
}

export interface NotificationReceipt {
  /** The HTTP status of the upstream service, where there was one. */
  readonly status?: number | undefined;
}

export interface NotificationChannel {
  /**
   * Tells it once. Resolves when the upstream service has taken it, rejects with a PluginError when it has not, and with the signal's reason
   * once that is aborted. Tries again are the host's.
   */
  send(notification: Notification, signal: AbortSignal): Promise<NotificationReceipt | undefined>;
}

/** A way to tell people of alerts: an alert names it by its id, with settings of its own. */
export interface NotificationChannelPlugin<S extends z.ZodType = z.ZodType> extends PluginHead {
  readonly kind: 'notification_channel';
  /** The name to show. */
  readonly label: string;
  /**
   * Settings of the channel in an alert. Marks secrets by `secret`, and prints as JSON Schema. Fields whose names end
   * in `url`, `endpoint` or `host` are looked at by the host when they are given: URLs that may not be called are
   * refused.
   */
  readonly settings: S;
  /** Signs by `host.sign`: people are shown the secret of an alert that tells by it, and may have another one made. */
  readonly is_signed?: true;
  /** Makes no request. */
  create(host: NotificationHost, settings: z.output<S>): NotificationChannel;
}

export function defineNotificationChannel<S extends z.ZodType>(
  plugin: Omit<NotificationChannelPlugin<S>, 'kind'>,
): NotificationChannelPlugin<S> {
  return Object.freeze({ ...plugin, kind: 'notification_channel' as const });
}
