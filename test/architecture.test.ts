import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Import {
  readonly from: string;
  readonly to: string;
}

const IMPORT = /^(?:import|export)\s[\w*\s{},$]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/**
 * What each layer may import beside its own folder; an adapter's is its technology's, a plugin's its own, and the files
 * that lie beside the plugins of its kind.
 */
const MAY_IMPORT: Readonly<Record<string, RegExp>> = {
  core: /^(core\/|zod$)/,
  plugins: /^(core\/plugin-sdk\/index\.ts$|@ai-sdk\/|ai$|@aws-sdk\/|aws4fetch$|jsonrepair$)/,
  adapters: /^(core\/|node:|[@a-z])/,
  console: /^(console\/|core\/|node:|[@a-z])/,
};

/** Data alone, without zod: the console bundles them. */
const CATALOGUES = ['core/traces/catalogue/span-types.ts', 'core/traces/catalogue/system-metrics.ts'];

/** Without tests, nor what the kit needs to know of a plugin. */
const sources = globSync('{core,adapters,plugins,config,cli,console,plugin-kit,demo,bench}/**/*.{ts,tsx,js}').filter(
  (path) => !/(\.test|\/kit)\.ts$/.test(path),
);
const imports = sources.flatMap(getImports);
const inside = ({ to }: Import): boolean => /^(core|adapters|plugins|config|cli|console|plugin-kit)\//.test(to);

function getImports(from: string): Import[] {
  return [...readFileSync(from, 'utf8').matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    return { from, to: specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier };
  });
}

const isOwn = ({ from, to }: Import): boolean => {
  const [layer, area, name] = from.split('/');
  const folder = `${layer}/${area}/`;
  if (layer === 'plugins') return to.startsWith(`${folder}${name}/`) || (to.startsWith(folder) && to.split('/').length === 3);
  return layer === 'adapters' && to.startsWith(folder);
};

const broken = (rule: (one: Import) => boolean): string[] => imports.filter(rule).map(({ from, to }) => `${from} -> ${to}`);

describe('the dependency rule', () => {
  it('sees the imports it judges', () => {
    expect(imports.length).toBeGreaterThan(300);
    expect(imports.filter(inside).length).toBeGreaterThan(150);
  });

  it('lets each layer import only what it may', () => {
    expect(
      broken((one) => {
        const layer = one.from.split('/')[0]!;
        if (!(layer in MAY_IMPORT) || isOwn(one)) return false;
        const foreignAdapter = layer !== 'core' && one.to.startsWith('adapters/');
        const upwards = /^(config|cli|plugins|plugin-kit|demo|bench|test)\//.test(one.to);
        return foreignAdapter || upwards || !MAY_IMPORT[layer]!.test(one.to);
      }),
    ).toEqual([]);
  });

  it('lets the console import types from core, and of values nothing but the catalogues that are data alone', () => {
    const values = /^import \{(?<names>[^}']*)\} from '(?:\.\.?\/)+(?<to>core\/[^']+)'/gm;
    const foreign = sources
      .filter((path) => path.startsWith('console/') && !path.startsWith('console/dist/'))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(values)].map(([, names = '', to = '']) => ({ path, names, to })))
      .filter(({ names, to }) => !CATALOGUES.includes(to) && names.split(',').some((name) => !/^\s*(type |$)/.test(name)));
    expect(foreign).toEqual([]);
    expect(broken(({ from, to }) => CATALOGUES.includes(from) && !CATALOGUES.includes(to))).toEqual([]);
  });

  it('keeps the plugin SDK free of capabilities', () => {
    expect(broken(({ from, to }) => from.startsWith('core/plugin-sdk/') && !/^(core\/plugin-sdk\/|zod$)/.test(to))).toEqual([]);
  });

  it("lets no service import another capability's service", () => {
    const service = /^core\/([\w-]+)\/[\w-]+-service\.ts$/;
    expect(
      broken(({ from, to }) => from.startsWith('core/') && service.test(to) && from.split('/')[1] !== service.exec(to)![1]),
    ).toEqual([]);
  });

  it('lets nothing import config but config and the programs that stand above it, and only config import awilix', () => {
    expect(broken(({ from, to }) => to.startsWith('config/') && !/^(config|cli|plugin-kit)\//.test(from))).toEqual([]);
    expect(broken(({ from, to }) => to === 'awilix' && !from.startsWith('config/'))).toEqual([]);
  });

  it('lets only the gateway to models call a provider', () => {
    const callers = sources.filter(
      (path) => path.startsWith('core/') && /\bprovider\w*\.complete\(|\bmodel\.complete\(/.test(readFileSync(path, 'utf8')),
    );
    expect(callers.toSorted()).toEqual(['core/integrations/guarded-provider.ts', 'core/models/model-gateway.ts']);
  });

  it('lets only config read the environment', () => {
    const readers = sources.filter(
      (path) => /^(core|adapters|plugins)\//.test(path) && /process\.env\b/.test(readFileSync(path, 'utf8')),
    );
    expect(readers).toEqual([]);
  });

  it('has no cycles between files', () => {
    const next = Map.groupBy(
      imports.filter(inside).filter(({ from, to }) => from !== to),
      ({ from }) => from,
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      if (done.has(file) || path.includes(file)) return;
      for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    };
    for (const file of next.keys()) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it('keeps folders small enough to be looked through', () => {
    const folders = Map.groupBy(
      globSync('{core,adapters,plugins,config,cli,console,plugin-kit,test,demo,bench}/**/*.{ts,tsx,js}', {
        exclude: ['console/dist/**'],
      }),
      dirname,
    );
    expect(
      [...folders].filter(([, files]) => files.length > 42).map(([folder, files]) => `${folder}: ${files.length} files`),
    ).toEqual([]);
  });
});
