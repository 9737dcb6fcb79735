import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { type ServeStdioOptions, type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';

export const MCP_USAGE = `usage: npm run --silent mcp
  SERVICE_URL      URL of the service, http://127.0.0.1:8088 when not set
  SERVICE_API_KEY  key of the user whose rights the tools have
Speaks the Model Context Protocol on standard input and output, for clients that start a program.
`;

export interface BridgeSettings {
  readonly url: string;
  readonly api_key: string;
}

/** Throws with what is missing. */
export function toBridgeSettings(env: Readonly<Record<string, string | undefined>>): BridgeSettings {
  if (!env.SERVICE_API_KEY) throw new Error('SERVICE_API_KEY is not set');
  return { url: (env.SERVICE_URL || 'http://127.0.0.1:8088').replace(/\/+$/, ''), api_key: env.SERVICE_API_KEY };
}

/** Serves the tools of a running service by standard input and output. Throws when the service is not there or refuses the key. */
export async function bridgeMcp({ url, api_key }: BridgeSettings, options?: ServeStdioOptions): Promise<StdioServerHandle> {
  const client = new Client({ name: 'touchstone-mcp-bridge', version: '1' });
  const requestInit = { headers: { 'service-api-key': api_key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return serveStdio(() => {
    const info = client.getServerVersion() ?? { name: 'touchstone', version: '1' };
    const instructions = client.getInstructions();
    const server = new Server(info, { capabilities: { tools: {} }, ...(instructions && { instructions }) });
    server.setRequestHandler('tools/list', () => client.listTools());
    server.setRequestHandler('tools/call', ({ params }) =>
      client.callTool({ name: params.name, arguments: params.arguments ?? {} }),
    );
    return server;
  }, options);
}
