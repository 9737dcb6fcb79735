import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSdkSurface } from '../../plugin-kit/sdk-package.ts';

/** `npm run sdk:surface` writes down what the plugin SDK exports, for review. */
writeFileSync(join(import.meta.dirname, 'plugin-sdk.txt'), await readSdkSurface());
