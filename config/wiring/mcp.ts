import { StatelessMcpServer } from '../../adapters/mcp/mcp-server.ts';
import { mcpTools } from '../../adapters/mcp/tools/tools.ts';
import { capability, factory, singleton } from './registration.ts';

export const mcp = capability({
  services: {
    mcpTools: factory(mcpTools),
    mcpServer: singleton(StatelessMcpServer),
  },
});
