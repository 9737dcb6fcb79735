import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { AlertName, ChannelId, ChannelSettings, Severity } from '../alert.ts';
import type { AlertChannel } from '../alert-channel.ts';

/** The mildest first. */
export const SEVERITIES: readonly Severity[] = Severity.options;

const Severities = z.array(Severity).min(1).max(SEVERITIES.length).describe('Alerts of these are told.');
const MinSeverity = Severity.describe('Short for this severity and all that are worse.');

export const NotificationRoute = z
  .object({
    id: z.string(),
    project_id: z.string(),
    name: z.string(),
    severities: z.array(Severity),
    channel: z.string(),
    /** For who may change the route, without secrets. */
    channel_settings: z.record(z.string(), z.unknown()).nullable(),
    created_by: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'NotificationRoute', description: 'Where alerts of some severities go that have no channel of their own.' });
export type NotificationRoute = z.output<typeof NotificationRoute>;

/** With the secret that its webhooks are signed by, which is shown this once. */
export const NotificationRouteWithSecret = z
  .object({ route: NotificationRoute, webhook_secret: z.string() })
  .meta({ id: 'NotificationRouteWithSecret' });
export type NotificationRouteWithSecret = z.output<typeof NotificationRouteWithSecret>;

export const NewNotificationRoute = z
  .object({
    name: AlertName,
    severities: Severities.nullish(),
    min_severity: MinSeverity.nullish(),
    channel: ChannelId,
    channel_settings: ChannelSettings.nullish(),
  })
  .meta({ id: 'NewNotificationRoute', description: 'Without `severities` and `min_severity` it is of all alerts.' });
export type NewNotificationRoute = z.output<typeof NewNotificationRoute>;

/** Changes to a route. A field that is absent or null stays. */
export const NotificationRouteUpdate = z
  .object({
    name: AlertName.nullish(),
    severities: Severities.nullish(),
    min_severity: MinSeverity.nullish(),
    channel: ChannelId.nullish(),
    channel_settings: ChannelSettings.nullish(),
  })
  .meta({ id: 'NotificationRouteUpdate' });
export type NotificationRouteUpdate = z.output<typeof NotificationRouteUpdate>;

/** Result of a test of a route. */
export const NotificationRouteTrial = z
  .object({
    status: z.enum(['delivered', 'failed']),
    /** Status of the response, where there was one. */
    response_status: z.int().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'NotificationRouteTrial' });
export type NotificationRouteTrial = z.output<typeof NotificationRouteTrial>;

/** Settings that people make. A route always has a channel. */
export interface RouteSettings extends AlertChannel {
  readonly channel: string;
  readonly name: string;
  readonly severities: readonly Severity[];
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A route as stored: without the secrets of its channel. */
export interface StoredRoute {
  readonly project_id: string;
  readonly id: string;
  readonly settings: RouteSettings;
}

/** Severities that a request names, the mildest first and each once; undefined where it names none. */
export function askedSeverities({
  severities,
  min_severity,
}: Pick<NewNotificationRoute, 'severities' | 'min_severity'>): readonly Severity[] | undefined {
  if (severities && min_severity)
    throw new AppError('invalid', 'severities_ambiguous', 'severities and min_severity are given together');
  if (min_severity) return SEVERITIES.slice(SEVERITIES.indexOf(min_severity));
  return severities ? SEVERITIES.filter((one) => severities.includes(one)) : undefined;
}
