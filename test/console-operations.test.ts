import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ApiCall, listApiCalls } from './console-operations/api-calls.ts';
import { listOperations, type Operation } from './console-operations/matching.ts';
import { WITHOUT_PLACE } from './console-operations/without-place.ts';

type Paths = Record<string, Record<string, { operationId: string }>>;
const { paths } = JSON.parse(readFileSync('test/golden/openapi.json', 'utf8')) as { paths: Paths };
const operations: readonly Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, id: operationId })),
);
const calls = listApiCalls();
const used = new Set(calls.flatMap((call) => listOperations(call, operations).map(({ id }) => id)));
/** Not among the operations: the document itself. */
const UNLISTED = new Set(['/openapi.json']);
const listed = Object.values(WITHOUT_PLACE).flat();

describe('the operations of the API', () => {
  it('have a place in the console, or are listed with the reason why not', () => {
    const open = operations.filter(({ id }) => !used.has(id) && !listed.includes(id));
    expect(open.map(({ id }) => id)).toEqual([]);
  });

  it('are listed as long as they have none', () => {
    const known = new Set(operations.map(({ id }) => id));
    expect(listed.filter((id) => used.has(id) || !known.has(id))).toEqual([]);
    expect(listed).toEqual([...new Set(listed)]);
  });
});

describe('the scan of the console', () => {
  it('finds an operation for every call that it understands', () => {
    const isFound = (call: ApiCall): boolean => listOperations(call, operations).length > 0;
    const found = new Set(calls.filter(isFound).map(({ where }) => where));
    const isStrange = ({ path, where }: ApiCall): boolean => !path.startsWith('**') && !found.has(where) && !UNLISTED.has(path);
    expect(calls.filter(isStrange)).toEqual([]);
  });

  it('tells methods, names and parameters apart', () => {
    const of = (method: string, path: string) => listOperations({ method, path, where: '' }, operations).map(({ id }) => id);
    expect(of('GET', '/projects/{}')).toEqual(['getProject']);
    expect(of('DELETE', '/projects/{}')).toEqual(['deleteProject']);
    expect(of('GET', '**/label_moves')).toEqual(['listTemplateLabelMoves']);
    expect(of('POST', '/projects/{}/*s/count')).toHaveLength(3);
    expect(of('GET', '/projects/{}/nothing')).toEqual([]);
  });
});
