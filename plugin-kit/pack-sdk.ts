import { relative, resolve } from 'node:path';
import { packSdk } from './sdk-package.ts';

/** `npm run sdk:pack [folder]`: packs the SDK and the kit into a tarball that can be published, in this folder or the one named. */
try {
  process.chdir(process.env.INIT_CWD ?? '.');
  const tarball = await packSdk(resolve(process.argv[2] ?? '.'));
  process.stdout.write(`${relative('.', tarball)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
