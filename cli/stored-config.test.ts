import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../test/setup/compile-cache.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-cli-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

/** Programs that call a service over HTTP, whatever it keeps its data in. */
const CLIENTS = ['audit-client', 'gate', 'gate-client', 'judge-audit', 'mcp', 'mcp-bridge'];
const commands = globSync('*.ts', { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => name.replace('.ts', ''))
  .filter((name) => !CLIENTS.includes(name));

describe('the commands about what a service has kept', () => {
  it.each(commands)('%s refuses to work on a service that keeps nothing', async (command) => {
    const env = { ...bareEnvironment(), STORE: 'memory', DATA_DIR: dataDir };
    const script = join(import.meta.dirname, `${command}.ts`);
    const ended = await promisify(execFile)(process.execPath, [script, join(dataDir, 'backup')], { env }).catch((error) => error);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('STORE=memory keeps nothing') });
    expect(readdirSync(dataDir)).toEqual([]);
  });
});
