import { pythonSandboxContract } from '../../../test/contracts/python-sandbox.contract.ts';
import { builtInLanguages } from '../../../test/setup/built-in-languages.ts';
import { DEFAULT_SANDBOX_SETTINGS, ForkedSandbox } from '../forked-sandbox.ts';

/** Programs that end do so in a few milliseconds, on a busy machine in more; those that do not take all of it. */
const PATIENT = { run_ms: 800, kill_grace_ms: 2_000 };
const log = { info: () => {}, warn: () => {}, error: () => {} };

pythonSandboxContract('forked', async () => {
  const settings = { ...DEFAULT_SANDBOX_SETTINGS, ...PATIENT };
  const port = new ForkedSandbox({ settings, languages: builtInLanguages, log });
  return { port, close: () => port.close() };
});
