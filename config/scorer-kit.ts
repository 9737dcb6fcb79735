import type { Clock, Log } from '../core/kernel/ports.ts';
import { PluginError, type ScorerKit } from '../core/plugin-sdk/index.ts';
import type { CodeSandbox } from '../core/scorers/code-sandbox.ts';

/** What scorer-kind plugins may use: the sandbox, and models once integrations lend them. */
export const scorerKitOf = ({ codeSandbox, clock, log }: { codeSandbox: CodeSandbox; clock: Clock; log: Log }): ScorerKit => ({
  fetch: globalThis.fetch,
  clock,
  log: (message, fields) => log.info(message, fields),
  runCode: (program, records) => codeSandbox.run(program, records),
  model: async (alias) => {
    throw new PluginError('unsupported', `no integration offers the model "${alias}"`);
  },
});
