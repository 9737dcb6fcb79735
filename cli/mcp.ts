import { bridgeMcp, MCP_USAGE, toBridgeSettings } from './mcp-bridge.ts';

try {
  await bridgeMcp(toBridgeSettings(process.env));
} catch (error) {
  // Standard output belongs to the protocol.
  process.stderr.write(`the service cannot be reached: ${error instanceof Error ? error.message : String(error)}\n${MCP_USAGE}`);
  process.exitCode = 2;
}
