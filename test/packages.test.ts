import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const Names = z.record(z.string(), z.string()).default({});
const Parts = { dependencies: Names, devDependencies: Names, optionalDependencies: Names };
const Manifest = z.object({ ...Parts, name: z.string(), version: z.string(), allowScripts: z.record(z.string(), z.boolean()) });
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      ...Parts,
      version: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

const manifest = Manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
const { packages } = Lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
const parts = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
const asked = parts.flatMap((part) => Object.entries(manifest[part]));
const installed = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link);
const getName = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('the packages', () => {
  it('are asked for in exact versions', () => {
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('are locked in the versions that are asked for', () => {
    const root = packages[''];
    for (const part of parts) expect(root?.[part]).toEqual(manifest[part]);
    expect(asked.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)).toEqual([]);
  });

  it('are locked by their contents', () => {
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });

  it('run install scripts only where package.json says yes or no by name', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => getName(path));
    expect(scripted.filter((name) => !(name in manifest.allowScripts))).toEqual([]);
    expect(scripted).toContain('isolated-vm');
  });

  it('of this repository are all of one version', () => {
    const client = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8'));
    const python = /^version = "(.+)"$/m.exec(readFileSync('clients/python/pyproject.toml', 'utf8'))?.[1];
    const chart = /^appVersion: "?([^"\n]+)"?$/m.exec(readFileSync('deploy/helm/touchstone/Chart.yaml', 'utf8'))?.[1];
    expect({ client: client.version, python, chart }).toEqual({
      client: manifest.version,
      python: manifest.version,
      chart: manifest.version,
    });
  });

  it('of MikroORM are all of one version', () => {
    const versions = asked.filter(([name]) => name.startsWith('@mikro-orm/')).map(([, version]) => version);
    expect(new Set(versions).size).toBe(1);
  });
});
