import { defineEntity, p } from '@mikro-orm/core';
import type { StreamState } from '../../../core/otel/metrics/metric-series.ts';
import type { Sketch } from '../../../core/record-index/sketch.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Series of metrics of OpenTelemetry; these tables are read and written by SQL alone. */
export const MetricSeriesTable = defineEntity({
  name: 'MetricSeriesRow',
  tableName: 'metric_series',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    series_id: uuid().primary(),
    name: text(),
    unit: text(),
    kind: text(),
    model: text().nullable(),
    operation: text().nullable(),
    provider: text().nullable(),
    token_type: text().nullable(),
    error_type: text().nullable(),
    last_at: timestamp(),
  },
  indexes: [{ name: 'metric_series_name_index', properties: ['project_id', 'run_id', 'name'] }],
});

export const MetricSeriesHourTable = defineEntity({
  name: 'MetricSeriesHourRow',
  tableName: 'metric_series_hours',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    series_id: uuid().primary(),
    hour: timestamp().primary(),
    count: p.bigint('string'),
    sum: p.double(),
    min: p.double(),
    max: p.double(),
    sketch: jsonb<Sketch>(),
  },
});

/** Memory of streams, so that repeats count once. */
export const MetricStreamTable = defineEntity({
  name: 'MetricStreamRow',
  tableName: 'metric_streams',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    stream_id: uuid().primary(),
    state: jsonb<StreamState>(),
    last_at: timestamp(),
  },
  indexes: [{ name: 'metric_streams_last_index', properties: ['last_at'] }],
});

export const metricSeriesTables = [MetricSeriesTable, MetricSeriesHourTable, MetricStreamTable];
