/** Which log stream a view is of. */
export interface LogStreamPath {
  readonly project_id: string;
  readonly log_stream_id: string;
}

export const getLogStream = (params: Record<string, string>): LogStreamPath => ({
  project_id: params.project_id!,
  log_stream_id: params.log_stream_id!,
});

/** The place of its records; also where the API keeps the log stream. */
export const logStreamPath = ({ project_id, log_stream_id }: LogStreamPath): string =>
  `/projects/${project_id}/log_streams/${log_stream_id}`;

/** One widget of the dashboard, alone; messages of alerts lead here. */
export const widgetPath = (of: LogStreamPath, id: string): string => `${trendsPath(of)}?widget=${id}`;

/** Of its dashboard, in the console as in the API. */
export const trendsPath = (of: LogStreamPath): string => `${logStreamPath(of)}/trends`;
