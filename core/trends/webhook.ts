import { z } from 'zod';
import type { StoredAlert } from './alert.ts';

/** Signs by the Standard Webhooks specification: HMAC-SHA256 of `<id>.<timestamp>.<body>`. */
export interface WebhookSigner {
  /** `whsec_` and 256 bits in base64. */
  newSecret(): string;
  /** The header `webhook-signature`; the time in seconds since 1970. */
  sign(secret: string, id: string, timestamp: number, body: string): string;
}

const EventType = z.enum(['alert.firing', 'alert.no_data', 'alert.resolved', 'alert.test']);

export const WebhookEvent = z
  .object({ type: EventType, timestamp: z.string(), data: z.looseObject({}) })
  .meta({ id: 'WebhookEvent', description: 'The body of a webhook.' });
export type WebhookEvent = z.output<typeof WebhookEvent>;

export const WebhookDelivery = z
  .object({
    id: z.string(),
    alert_id: z.string(),
    /** The route that it goes by; null: the channel of the alert. */
    route_id: z.string().nullable(),
    /** How the route was called then. */
    route_name: z.string().nullable(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int(),
    created_at: z.string(),
    last_attempt_at: z.string().nullable(),
    next_attempt_at: z.string().nullable(),
    /** Status of the last response. */
    response_status: z.int().nullable(),
    error: z.string().nullable(),
    event: WebhookEvent,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

/** Describes the alert of an event. */
export const eventData = ({ project_id, run_id, id, settings }: StoredAlert, more: object): WebhookEvent['data'] => {
  const { name, widget_id, operator, threshold, severity, interval, watches, for_buckets } = settings;
  const watched = { widget_id, operator, threshold, severity, interval, watches, for_buckets };
  return { alert_id: id, alert_name: name, project_id, log_stream_id: run_id, ...watched, ...more };
};

export const newDelivery = (id: string, alert_id: string, event: WebhookEvent): WebhookDelivery => ({
  id,
  alert_id,
  route_id: null,
  route_name: null,
  status: 'pending',
  attempts: 0,
  created_at: event.timestamp,
  last_attempt_at: null,
  next_attempt_at: event.timestamp,
  response_status: null,
  error: null,
  event,
});

/** A delivery as stored, with the parts that it lacks where it is from before there were routes. */
export const completeDelivery = (stored: Omit<WebhookDelivery, 'route_id' | 'route_name'>): WebhookDelivery => ({
  ...{ route_id: null, route_name: null },
  ...stored,
});
