import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import { cleanText, Id } from '../kernel/text.ts';
import { Timestamp } from '../kernel/timestamp.ts';
import type { AlertChannel } from './alert-channel.ts';
import { REFERENCE_DAYS } from './drift/drift-windows.ts';
import { QuietHours } from './quiet-hours.ts';

export const AlertState = z.enum(['ok', 'pending', 'firing', 'no_data']);
export type AlertState = z.output<typeof AlertState>;

export const Severity = z.enum(['info', 'warning', 'critical']);
export type Severity = z.output<typeof Severity>;
/** Effect of a series that has no values any more. */
const NoDataChoice = z.enum(['alert', 'ok', 'keep']).describe('`alert`: the state is `no_data`, and that is told.');
const ReminderMinutes = z.int().min(5).max(10_080).describe('So often it is told again that the alert fires or has no data.');
const MutedUntil = Timestamp.describe('Until then nothing is told.');

export const AlertName = cleanText(1, 100);
const AlertInterval = z.enum(['minute', 'hour', 'day']);
const Operator = z.enum(['above', 'below']);
const Watches = z
  .enum(['value', 'drift'])
  .describe('`drift`: the population stability index of the numbers of each bucket against those of the days before it.');
const ReferenceDays = z.int().min(1).max(60).describe('Of drift: how many days before a bucket it is judged against.');
const BucketCount = z.int().min(1).max(60);
const WebhookUrl = z.url().max(2048);
export const ChannelId = z
  .string()
  .min(1)
  .max(100)
  .describe('The id of a notification channel; `webhook_url` is short for `webhook`.');
export const ChannelSettings = z
  .record(z.string(), z.unknown())
  .describe('What the channel takes, whole: see `settings_schema`.');

/** Width of the buckets of an alert in minutes. */
export const ALERT_MINUTES = { minute: 1, hour: 60, day: 1_440 } as const satisfies Record<
  z.output<typeof AlertInterval>,
  number
>;

const Condition = {
  /** Place of the series in the widget's `dataset`; 0 where that is empty. */
  series_index: z.int(),
  interval: AlertInterval,
  watches: Watches,
  reference_days: ReferenceDays,
  operator: Operator,
  threshold: z.number(),
  /** So many buckets in a row have to be beyond the threshold. */
  for_buckets: z.int(),
  /** After so many buckets in a row without a value the state is `no_data`; null: that says nothing. */
  no_data_buckets: z.int().nullable(),
  no_data: NoDataChoice,
};

export const Alert = z
  .object({
    id: z.string(),
    project_id: z.string(),
    log_stream_id: z.string(),
    widget_id: z.string(),
    name: z.string(),
    ...Condition,
    /** For who may change the alert; others see where it leads, without the path. */
    webhook_url: z.string().nullable(),
    /** The channel that it notifies; null: none. */
    channel: z.string().nullable(),
    /** For who may change the alert, without secrets. */
    channel_settings: z.record(z.string(), z.unknown()).nullable(),
    is_enabled: z.boolean(),
    severity: Severity,
    quiet_hours: QuietHours.nullable(),
    muted_until: z.string().nullable(),
    reminder_minutes: z.int().nullable(),
    /** State that was told last: the alert may fire, and nobody know yet. */
    told_state: z.enum(['ok', 'firing', 'no_data']),
    told_at: z.string().nullable(),
    state: AlertState,
    state_since: z.string(),
    /** Of the last bucket that was looked at. */
    last_value: z.number().nullable(),
    /** The end of that bucket. */
    evaluated_until: z.string().nullable(),
    /** Why the alert cannot be evaluated. */
    problem: z.string().nullable(),
    created_by: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Alert', description: 'Watches one series of a widget.' });
export type Alert = z.output<typeof Alert>;

/** With the secret that its webhooks are signed by, which is shown this once. */
export const AlertWithSecret = z.object({ alert: Alert, webhook_secret: z.string() }).meta({ id: 'AlertWithSecret' });
export type AlertWithSecret = z.output<typeof AlertWithSecret>;

export const NewAlert = z
  .object({
    widget_id: Id,
    name: AlertName,
    series_index: withDefault(z.int().min(0).max(49), 0),
    interval: withDefault(AlertInterval, 'hour'),
    watches: withDefault(Watches, 'value'),
    reference_days: withDefault(ReferenceDays, REFERENCE_DAYS),
    operator: Operator,
    threshold: z.number(),
    for_buckets: withDefault(BucketCount, 1),
    no_data_buckets: BucketCount.nullish().transform((given) => given ?? null),
    webhook_url: WebhookUrl.nullish().transform((given) => given ?? null),
    channel: ChannelId.nullish(),
    channel_settings: ChannelSettings.nullish(),
    is_enabled: withDefault(z.boolean(), true),
    no_data: withDefault(NoDataChoice, 'alert'),
    severity: withDefault(Severity, 'warning'),
    quiet_hours: QuietHours.nullish().transform((given) => given ?? null),
    muted_until: MutedUntil.nullish().transform((given) => given ?? null),
    reminder_minutes: ReminderMinutes.nullish().transform((given) => given ?? null),
  })
  .meta({ id: 'NewAlert' });
export type NewAlert = z.output<typeof NewAlert>;

/** Changes to an alert. A field that is absent stays; null removes an optional one. */
export const AlertUpdate = z
  .object({
    name: AlertName.optional(),
    series_index: z.int().min(0).max(49).optional(),
    interval: AlertInterval.optional(),
    watches: Watches.optional(),
    reference_days: ReferenceDays.optional(),
    operator: Operator.optional(),
    threshold: z.number().optional(),
    for_buckets: BucketCount.optional(),
    no_data_buckets: BucketCount.nullable().optional(),
    webhook_url: WebhookUrl.nullable().optional(),
    channel: ChannelId.nullable().optional(),
    channel_settings: ChannelSettings.nullable().optional(),
    is_enabled: z.boolean().optional(),
    no_data: NoDataChoice.optional(),
    severity: Severity.optional(),
    quiet_hours: QuietHours.nullable().optional(),
    muted_until: MutedUntil.nullable().optional(),
    reminder_minutes: ReminderMinutes.nullable().optional(),
  })
  .meta({ id: 'AlertUpdate' });
export type AlertUpdate = z.output<typeof AlertUpdate>;

export const AlertTransition = z
  .object({
    id: z.string(),
    alert_id: z.string(),
    from: AlertState,
    to: AlertState,
    at: z.string(),
    /** The last bucket that was looked at. */
    bucket_start: z.string(),
    bucket_end: z.string(),
    value: z.number().nullable(),
  })
  .meta({ id: 'AlertTransition' });
export type AlertTransition = z.output<typeof AlertTransition>;

/** Settings that people make. */
export type AlertSettings = Omit<NewAlert, keyof AlertChannel | 'webhook_url'> &
  AlertChannel & {
    readonly created_by: string | null;
    readonly created_at: string;
    readonly updated_at: string;
  };
/** Progress that evaluation records. */
export type AlertProgress = Pick<
  Alert,
  'state' | 'state_since' | 'last_value' | 'evaluated_until' | 'problem' | 'told_state' | 'told_at'
> & {
  /** Ids of the routes that told that it fires, or has no data, and have not told yet that this is over. */
  readonly told_routes: readonly string[];
};

/** An alert as stored. */
export interface StoredAlert {
  readonly project_id: string;
  readonly run_id: string;
  readonly id: string;
  readonly settings: AlertSettings;
  readonly progress: AlertProgress;
}

export const atFirst = (now: string): AlertProgress => ({
  state: 'ok',
  state_since: now,
  last_value: null,
  evaluated_until: null,
  problem: null,
  told_state: 'ok',
  told_at: null,
  told_routes: [],
});

/** How alerts watch and tell that were made before there was a choice. */
export const FORMER_DEFAULTS = {
  watches: 'value',
  reference_days: REFERENCE_DAYS,
  no_data: 'alert',
  severity: 'warning',
  quiet_hours: null,
  muted_until: null,
  reminder_minutes: null,
} as const satisfies Partial<AlertSettings>;

/** As stored by a version that knew less. */
interface FormerAlert extends Omit<StoredAlert, 'settings' | 'progress'> {
  readonly settings: Omit<AlertSettings, keyof typeof FORMER_DEFAULTS>;
  readonly progress: Omit<AlertProgress, 'told_state' | 'told_at' | 'told_routes'>;
}

/** An alert as stored, with the parts that it lacks where it is from before these were there. */
export function completeAlert(alert: FormerAlert): StoredAlert {
  const { state } = alert.progress;
  const told = { told_state: state === 'pending' ? ('ok' as const) : state, told_at: null, told_routes: [] };
  return { ...alert, settings: { ...FORMER_DEFAULTS, ...alert.settings }, progress: { ...told, ...alert.progress } };
}
