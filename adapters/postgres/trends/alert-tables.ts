import { defineEntity } from '@mikro-orm/core';
import type { Secret } from '../../../core/integrations/secret-box.ts';
import type { AlertProgress, AlertSettings, AlertTransition } from '../../../core/trends/alert.ts';
import type { RouteSettings } from '../../../core/trends/routing/notification-route.ts';
import type { WebhookDelivery } from '../../../core/trends/webhook.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Alerts. Settings that people make and progress of evaluation are changed by different writers, so they are two columns. */
export const AlertTable = defineEntity({
  name: 'AlertRow',
  tableName: 'alerts',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    run_id: uuid(),
    created_at: timestamp(),
    settings: jsonb<AlertSettings>(),
    progress: jsonb<AlertProgress>(),
  },
  indexes: [{ name: 'alerts_run_index', properties: ['project_id', 'run_id'] }],
});

/** Secrets that sign the webhooks of alerts, sealed. */
export const WebhookSecretTable = defineEntity({
  name: 'WebhookSecretRow',
  tableName: 'webhook_secrets',
  properties: {
    id: uuid().primary(),
    project_id: uuid(),
    run_id: uuid(),
    key_id: text(),
    data_key: text(),
    secret_fields: jsonb<Secret[]>(),
  },
  indexes: [{ name: 'webhook_secrets_key_id_index', properties: ['key_id'] }],
});

export const AlertTransitionTable = defineEntity({
  name: 'AlertTransitionRow',
  tableName: 'alert_transitions',
  properties: {
    project_id: uuid().primary(),
    alert_id: uuid().primary(),
    id: uuid().primary(),
    run_id: uuid(),
    at: timestamp(),
    transition: jsonb<AlertTransition>(),
  },
  indexes: [{ name: 'alert_transitions_time_index', properties: ['project_id', 'alert_id', 'at', 'id'] }],
});

export const WebhookDeliveryTable = defineEntity({
  name: 'WebhookDeliveryRow',
  tableName: 'webhook_deliveries',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    alert_id: uuid(),
    run_id: uuid(),
    at: timestamp(),
    delivery: jsonb<WebhookDelivery>(),
  },
  indexes: [{ name: 'webhook_deliveries_time_index', properties: ['project_id', 'alert_id', 'at', 'id'] }],
});

/** Routes of projects, each with the sealed secrets of its channel. */
export const NotificationRouteTable = defineEntity({
  name: 'NotificationRouteRow',
  tableName: 'notification_routes',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    created_at: timestamp(),
    settings: jsonb<RouteSettings>(),
    key_id: text(),
    data_key: text(),
    secret_fields: jsonb<Secret[]>(),
  },
  indexes: [
    { name: 'notification_routes_id_index', properties: ['id'] },
    { name: 'notification_routes_key_id_index', properties: ['key_id'] },
  ],
});

/** Work by due time: a list of work, like the job queue. */
export const DueWorkTable = defineEntity({
  name: 'DueWorkRow',
  tableName: 'due_work',
  properties: {
    kind: text().primary(),
    project_id: uuid().primary(),
    id: uuid().primary(),
    due_at: timestamp(),
  },
  indexes: [{ name: 'due_work_due_index', properties: ['kind', 'due_at'] }],
});

export const alertTables = [
  AlertTable,
  WebhookSecretTable,
  AlertTransitionTable,
  WebhookDeliveryTable,
  NotificationRouteTable,
  DueWorkTable,
];
