import { makeBillOfMaterials } from './bill-of-materials.ts';

/** `npm run sbom`: prints the bill of materials. */
process.stdout.write(`${JSON.stringify(await makeBillOfMaterials(), null, 2)}\n`);
