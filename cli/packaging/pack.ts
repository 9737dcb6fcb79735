import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { packSdk } from '../../plugin-kit/sdk-package.ts';
import { writeBillOfMaterials } from './bill-of-materials.ts';
import { packClient } from './client-package.ts';
import { packPythonClient } from './python-package.ts';
import { packServer } from './server-package.ts';

/** `npm run package [folder]`: packs all that is published, each into a folder of its own, with a bill of materials beside, and prints the sizes. */
const PACKAGES = { server: packServer, 'plugin-sdk': packSdk, client: packClient, 'python-client': packPythonClient };
try {
  process.chdir(process.env.INIT_CWD ?? '.');
  const out = resolve(process.argv[2] ?? 'packages');
  for (const [name, pack] of Object.entries(PACKAGES)) {
    const tarball = await pack(join(out, name));
    process.stdout.write(`${relative('.', tarball)}  ${(statSync(tarball).size / 1024).toFixed(0)} KiB\n`);
  }
  process.stdout.write(`${relative('.', await writeBillOfMaterials(out))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
