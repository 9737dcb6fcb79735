import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Contracts that are not tried on memory and PostgreSQL both, and what on instead. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  codeSandboxContract: ['forked'],
  pythonSandboxContract: ['forked'],
  mailerContract: ['SMTP', 'outbox'],
  objectStoreContract: ['S3', 'folder'],
  fileContentsContract: ['PostgreSQL', 'S3', 'memory'],
  listedFileContentsContract: ['PostgreSQL', 'S3', 'memory'],
};

const contracts = globSync('test/contracts/**/*.ts').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/^export (?:const|function) (\w+(?:Contract|Property))\b/gm)].map(([, name]) => name!),
);

/** Who each contract is tried on, by the name that its tests have. */
const bound = Map.groupBy(
  globSync('{adapters,core,test}/**/*.test.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^(\w+(?:Contract|Property))\(\s*'(\w+)'/gm)].map(([, name, on]) => ({
      name: name!,
      on: on!,
    })),
  ),
  ({ name }) => name,
);

describe('the contracts of ports', () => {
  it('are tried on memory and PostgreSQL alike, but those that are said to be of other adapters', () => {
    expect(contracts.length).toBeGreaterThan(40);
    const on = (name: string) => (bound.get(name) ?? []).map((one) => one.on).toSorted();
    expect(Object.fromEntries(contracts.map((name) => [name, on(name)]))).toEqual(
      Object.fromEntries(contracts.map((name) => [name, ELSEWHERE[name] ?? ['PostgreSQL', 'memory']])),
    );
  });
});
