import { execFile } from 'node:child_process';
import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** How a machine reaches its registries: behind a proxy that signs by an authority of its own, packages cannot be had without it. */
const NETWORK =
  /^(?:(?:https?|no|all)_proxy|node_extra_ca_certs|node_use_system_ca|ssl_cert_(?:file|dir)|requests_ca_bundle|npm_config_(?:registry|cafile|cache|userconfig)|pip_.*)$/i;

const LONGEST_MS = 600_000;

/** An empty folder of somebody who installs packages: nothing of this repository is in reach but the Node that runs this. */
export class UserFolder {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(path: string) {
    this.path = path;
    const network = Object.entries(process.env).filter(([name, value]) => NETWORK.test(name) && value !== undefined);
    this.env = {
      ...(Object.fromEntries(network) as Record<string, string>),
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: process.env.HOME ?? path,
      // Keys that somebody keeps on this machine are not used, nor overwritten.
      XDG_CONFIG_HOME: join(path, '.config'),
    };
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  /** Runs a program to its end and returns what it printed. Rejects with what it said of its failure. */
  async run(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
    const options = { cwd: this.path, env: { ...this.env, ...more }, timeout: LONGEST_MS, maxBuffer: 64 * 2 ** 20 };
    const run = promisify(execFile)(command, args, options);
    const { stdout } = await run.catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${command} ${args[0] ?? ''} failed: ${error.stderr || error.stdout || error.message}`, { cause: error });
    });
    return stdout;
  }

  /** By `npm install`, from its file and the registry that npm is set to. */
  async install(...tarballs: readonly string[]): Promise<void> {
    this.write('package.json', '{"private":true,"type":"module"}');
    await this.run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs]);
  }
}

/** Bytes of all files below a folder. */
export function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}
