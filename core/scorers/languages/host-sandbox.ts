import type { CodeFlaw, HostSandbox } from '../../plugin-sdk/index.ts';
import type { CodeSandbox, SandboxUse } from '../scoring/code-sandbox.ts';

/** A record that every program has to survive without being refused. */
const PROBE = JSON.stringify({
  type: 'trace',
  id: '',
  name: '',
  input: '',
  output: '',
  tags: [],
  metrics: {},
  user_metadata: {},
});

/** The sandbox as a language gets it for one call: whose turn it is, and when that is over, is not for the plugin to say. */
export function toHostSandbox(sandbox: Pick<CodeSandbox, 'run'>, language: string, use: SandboxUse): HostSandbox {
  return {
    run: (source, inputs) => sandbox.run({ language, source }, inputs, use),
    async check(source) {
      const { verdictAfter: _, ...quiet } = use;
      const [outcome] = await sandbox.run({ language, source }, [PROBE], quiet);
      return outcome?.kind === 'refused' ? toFlaw(outcome.message) : undefined;
    },
  };
}

/** The sandbox names the place behind its message. */
function toFlaw(message: string): CodeFlaw {
  const found = /^([\s\S]*) \(scorer\.[\w-]+:(\d+)(?::(\d+))?\)$/.exec(message);
  if (!found) return { message };
  const [, text = '', line, column] = found;
  return { message: text, line: Number(line), ...(column !== undefined && { column: Number(column) }) };
}
