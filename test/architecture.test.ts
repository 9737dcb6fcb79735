import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesIn } from './import-graph.ts';

interface Import {
  readonly from: string;
  readonly to: string;
  /** As they are called in `to`. */
  readonly names: readonly string[];
}

const IMPORT = /^(?:import|export)\s([\w*\s{},$]*?)\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/**
 * Modules that each layer may import beside its own folder; an adapter's is its technology's, a plugin's its own, and
 * the files that lie beside the plugins of its kind.
 */
const MAY_IMPORT: Readonly<Record<string, RegExp>> = {
  core: /^(core\/|zod$)/,
  plugins: /^(core\/plugin-sdk\/index\.ts$|@ai-sdk\/|ai$|@aws-sdk\/|aws4fetch$|jose$|jsonrepair$)/,
  adapters: /^(core\/|node:|[@a-z])/,
  console: /^(console\/|core\/|node:|[@a-z])/,
};

/** Data alone, without zod: the console bundles them. */
const CATALOGUES = ['core/traces/catalogue/span-types.ts', 'core/traces/catalogue/system-metrics.ts'];

/** Without tests, nor what the kit needs to know of a plugin. */
const sources = globSync('{core,adapters,plugins,config,cli,console,plugin-kit,testing,demo,bench}/**/*.{ts,tsx,js}').filter(
  (path) => !/(\.test|\/kit)\.ts$/.test(path),
);
const imports = sources.flatMap(getImports);
const inside = ({ to }: Import): boolean => /^(core|adapters|plugins|config|cli|console|plugin-kit|testing)\//.test(to);

function getImports(from: string): Import[] {
  return [...readFileSync(from, 'utf8').matchAll(IMPORT)].map((match) => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? '';
    const names = [...(match[1] ?? '').matchAll(/(?:^|[{,])\s*(?:type\s+)?(\w+)/g)].map((found) => found[1]!);
    return { from, names, to: specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier };
  });
}

/** The classes that config makes services of, whatever they are called. */
const wired = new Set(
  globSync('config/wiring/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\b(?:singleton\(|new )(\w+)/g)].map((match) => match[1]!),
  ),
);

/** Services that other capabilities are made to use, each in place of doing the same again. */
const SERVE_ALL = new Set([
  // Who may: asked in the first line of each use case.
  'Authorizer',
  'AuditTrail',
  'RecentPrincipals',
  // Starts background jobs.
  'Jobs',
  // Calls models and knows them; opens integrations for that.
  'ModelGateway',
  'ModelDirectory',
  'ProviderOpener',
  'UserIntegrations',
  // Declarations of the plugins of scorers.
  'ScorerKinds',
]);

/** The capability of a file of the core: the kernel and the SDK are none, they are below all. */
const capabilityOf = (path: string): string | undefined => {
  const [layer, capability] = path.split('/');
  return layer === 'core' && capability !== 'kernel' && capability !== 'plugin-sdk' ? capability : undefined;
};

const isOwn = ({ from, to }: Import): boolean => {
  const [layer, area, name] = from.split('/');
  const folder = `${layer}/${area}/`;
  if (layer === 'plugins') return to.startsWith(`${folder}${name}/`) || (to.startsWith(folder) && to.split('/').length === 3);
  return layer === 'adapters' && to.startsWith(folder);
};

/** Whether a module prepares programs of a language. It runs in the process of the sandbox, where Node's own modules are all there is. */
const isPreparation = ({ from, to }: Import): boolean =>
  /^plugins\/code-languages\/\w+\/prepare\.ts$/.test(from) && to.startsWith('node:');

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
        if (!(layer in MAY_IMPORT) || isOwn(one) || isPreparation(one)) return false;
        const foreignAdapter = layer !== 'core' && one.to.startsWith('adapters/');
        const upwards = /^(config|cli|plugins|plugin-kit|testing|demo|bench|test)\//.test(one.to);
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

  it('keeps the plugin SDK free of capabilities, but for the types of spans', () => {
    const foreign = ({ from, to, names }: Import): boolean =>
      from.startsWith('core/plugin-sdk/') &&
      !/^(core\/plugin-sdk\/|zod$)/.test(to) &&
      !(to === 'core/traces/catalogue/span-types.ts' && names.join() === 'type,SpanType');
    expect(broken(foreign)).toEqual([]);
  });

  it("lets no capability import another's services, but those that serve all", () => {
    const foreign = ({ from, to, names }: Import): boolean =>
      capabilityOf(from) !== undefined &&
      capabilityOf(to) !== undefined &&
      capabilityOf(from) !== capabilityOf(to) &&
      (/^core\/.*-service\.ts$/.test(to) || names.some((name) => wired.has(name) && !SERVE_ALL.has(name)));
    expect(wired.size).toBeGreaterThan(80);
    expect(broken(foreign)).toEqual([]);
  });

  it('has no cycles between capabilities', () => {
    const between = imports.filter(({ from, to }) => {
      const [one, other] = [capabilityOf(from), capabilityOf(to)];
      return one !== undefined && other !== undefined && one !== other;
    });
    expect(between.length).toBeGreaterThan(200);
    const edges = Map.groupBy(between, ({ from, to }) => `${capabilityOf(from)} -> ${capabilityOf(to)}`);
    const example = (from: string, to: string): string => {
      const found = edges.get(`${from} -> ${to}`)!;
      return `${from} -> ${to}, ${found.length} times: ${found[0]!.from} -> ${found[0]!.to}`;
    };
    const graph = Map.groupBy(edges.keys(), (edge) => edge.split(' -> ')[0]!);
    const cycles = cyclesIn(new Map([...graph].map(([from, all]) => [from, all.map((edge) => edge.split(' -> ')[1]!)])));
    expect(cycles.map((path) => path.slice(1).map((to, place) => example(path[place]!, to)))).toEqual([]);
  });

  it('lets nothing import config but config and the programs that stand above it, and only config import awilix', () => {
    expect(
      broken(({ from, to }) => to.startsWith('config/') && !/^(config|cli|plugin-kit|testing|demo|bench)\//.test(from)),
    ).toEqual([]);
    expect(broken(({ from, to }) => to === 'awilix' && !from.startsWith('config/'))).toEqual([]);
  });

  it('lets only the gateway to models call a provider', () => {
    const callers = sources.filter(
      (path) => path.startsWith('core/') && /\bprovider\w*\.complete\(|\bmodel\.complete\(/.test(readFileSync(path, 'utf8')),
    );
    expect(callers.toSorted()).toEqual([
      'core/models/guarded-provider.ts',
      'core/models/model-gateway.ts',
      'core/models/streamed-completion.ts',
    ]);
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
    const cycles = cyclesIn(new Map([...next].map(([from, all]) => [from, all.map(({ to }) => to)])));
    expect(cycles.map((path) => path.join(' -> '))).toEqual([]);
  });

  it('keeps folders small enough to be looked through', () => {
    const folders = Map.groupBy(
      globSync('{core,adapters,plugins,config,cli,console,plugin-kit,testing,test,demo,bench}/**/*.{ts,tsx,js}', {
        exclude: ['console/dist/**'],
      }),
      dirname,
    );
    expect(
      [...folders].filter(([, files]) => files.length > 42).map(([folder, files]) => `${folder}: ${files.length} files`),
    ).toEqual([]);
  });
});
