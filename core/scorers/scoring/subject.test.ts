import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { span, trace } from '../../../test/contracts/traces/record-stores.ts';
import type { LogRecord } from '../../traces/record.ts';
import { parentsFirst } from './subject.ts';

const root = trace({ project_id: randomUUID(), run_id: randomUUID() }, { name: 'root' });
const at = (second: string): string => `2026-01-01T00:00:${second}Z`;
const named = (name: string, second: string, parent: LogRecord = root) => span(parent, { name, created_at: at(second) });
const names = (records: LogRecord[]) => parentsFirst(records).map(({ name }) => name);

it('puts the trace first, and spans by their start', () => {
  expect(names([named('b', '02.000001'), named('a', '02.000'), root, named('c', '03')])).toEqual(['root', 'a', 'b', 'c']);
});

it('puts no span before its parent', () => {
  const parent = named('parent', '05');
  const child = named('child', '04', parent);
  expect(names([root, named('grandchild', '01', child), child, parent, named('between', '02')])).toEqual([
    'root',
    'parent',
    'child',
    'grandchild',
    'between',
  ]);
});

it('keeps spans whose parent is missing, or that are their own ancestors', () => {
  const [one, two] = [named('one', '01'), named('two', '02')];
  const circle: LogRecord[] = [
    { ...one, parent_id: two.id },
    { ...two, parent_id: one.id },
  ];
  expect(names([root, ...circle, { ...named('orphan', '03'), parent_id: randomUUID() }]).toSorted()).toEqual([
    'one',
    'orphan',
    'root',
    'two',
  ]);
});
