import { Migration } from '@mikro-orm/migrations';

/** Metrics of OpenTelemetry: their series, the numbers of these by the hour, and what is remembered of the streams they come by. */
export class MetricSeries extends Migration {
  override name = 'm0042-metric-series';

  override up(): void {
    this.addSql(`
create table if not exists metric_series (
  project_id uuid not null,
  run_id uuid not null,
  series_id uuid not null,
  name text not null,
  unit text not null,
  kind text not null,
  model text,
  operation text,
  provider text,
  token_type text,
  error_type text,
  last_at timestamptz(6) not null,
  primary key (project_id, run_id, series_id)
);
create index if not exists metric_series_name_index on metric_series (project_id, run_id, name);
create table if not exists metric_series_hours (
  project_id uuid not null,
  run_id uuid not null,
  series_id uuid not null,
  hour timestamptz(6) not null,
  count bigint not null,
  sum double precision not null,
  min double precision not null,
  max double precision not null,
  sketch jsonb not null,
  primary key (project_id, run_id, series_id, hour)
);
create table if not exists metric_streams (
  project_id uuid not null,
  run_id uuid not null,
  stream_id uuid not null,
  state jsonb not null,
  last_at timestamptz(6) not null,
  primary key (project_id, run_id, stream_id)
);
create index if not exists metric_streams_last_index on metric_streams (last_at)`);
  }
}
