import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Three backticks, a language and perhaps the path of a file; then the text up to the next three. */
const BLOCK = /^```(\w+)(?: (\S+))?\n(.*?)^```$/gms;
const ROOT = resolve(import.meta.dirname, '..');

export interface Followed {
  /** Output of each `npm run plugin:...`, in order. */
  readonly printed: readonly string[];
  /** Plugins that the service is started with. */
  readonly plugins: readonly string[];
}

/** Does what docs/plugins.md says, line by line and block by block, as if the repository lay in `folder`. Rejects when a command fails. */
export async function followTutorial(folder: string): Promise<Followed> {
  const printed: string[] = [];
  const plugins: string[] = [];
  for (const [, language, path, text = ''] of readFileSync(join(ROOT, 'docs/plugins.md'), 'utf8').matchAll(BLOCK)) {
    if (path !== undefined) write(resolve(folder, path), text);
    for (const line of language === 'sh' ? text.trim().split('\n') : []) {
      const [, command, args = ''] = /^npm run plugin:(\w+) (.*)$/.exec(line) ?? [];
      const [, started] = /^PLUGINS=(\S+) npm start$/.exec(line) ?? [];
      if (command) printed.push(await run(command, args.split(' '), folder));
      else if (started) plugins.push(resolve(folder, started));
      else throw new Error(`nobody knows how to do "${line}"`);
    }
  }
  return { printed, plugins };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function run(command: string, args: string[], folder: string): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const script = (scripts[`plugin:${command}`] ?? '').replace(/^node /, '');
  const options = { cwd: ROOT, env: { ...process.env, INIT_CWD: folder } };
  const done = promisify(execFile)(process.execPath, [script, ...args], options);
  // Which check failed stands in the output.
  const { stdout } = await done.catch((error: Error & { stdout: string }) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}
