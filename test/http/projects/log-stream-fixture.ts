import { startTestServer, type TestServer } from '../harness.ts';

export interface LogStreamFixture {
  readonly server: TestServer;
  readonly project_id: string;
  readonly log_stream_id: string;
  /** The path of the project. */
  readonly at: string;
}

/** A service with the project Atlas, and in it a log stream. */
export async function startWithLogStream(): Promise<LogStreamFixture> {
  const server = await startTestServer();
  const project = await server.request('POST', '/v2/projects', { name: 'Atlas', type: 'gen_ai' });
  const at = `/v2/projects/${project.body.id}`;
  const log_stream = await server.request('POST', `${at}/log_streams`, { name: 'default' });
  return { server, project_id: project.body.id, log_stream_id: log_stream.body.id, at };
}
