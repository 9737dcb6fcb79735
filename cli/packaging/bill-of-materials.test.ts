import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeBillOfMaterials } from './bill-of-materials.ts';

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly name: string; readonly version: string; readonly purl: string }[];
}

it('the bill of materials beside the packages lists what the server needs at run time, in its versions, and no tool', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-sbom-'));
  try {
    const bill = JSON.parse(readFileSync(await writeBillOfMaterials(folder), 'utf8')) as Bill;
    expect(bill.bomFormat).toBe('CycloneDX');
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, object>;
    const listed = new Set(bill.components.flatMap(({ name, version }) => [name, `${name}@${version}`]));
    for (const [name, version] of Object.entries(dependencies!))
      expect([name, version, listed.has(`${name}@${version}`)]).toEqual([name, version, true]);
    expect(Object.keys(devDependencies!)).toContain('vitest');
    expect(listed.has('vitest')).toBe(false);
    expect(bill.components.every(({ purl }) => purl.startsWith('pkg:npm/'))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
