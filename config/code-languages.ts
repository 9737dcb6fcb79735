import { fileURLToPath } from 'node:url';
import type { SandboxLanguage, SandboxSettings } from '../adapters/sandbox/sandbox-settings.ts';
import type { CodeLanguagePlugin, CodeLimits } from '../core/plugin-sdk/index.ts';

/** Returns the part of a language that the sandbox needs. */
export const toSandboxLanguage = ({ id, extensions, engine, preparation }: CodeLanguagePlugin): SandboxLanguage => ({
  id,
  extension: extensions[0],
  ...(engine && { engine }),
  ...(preparation && { preparation: fileURLToPath(preparation) }),
});

/** Returns the limits that languages give programs: the same for all of them. */
export const toCodeLimits = ({ run_ms, memory_mb, max_source_bytes }: SandboxSettings): CodeLimits => ({
  run_ms,
  memory_mb,
  source_bytes: max_source_bytes,
  value_chars: 10_000,
  list_items: 1_000,
  message_chars: 2_000,
});
