import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { span, trace } from '../../../test/contracts/traces/record-stores.ts';
import { copiesFor, traceOfRow } from './trial-records.ts';

const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');
const ROW = '22222222-2222-4222-8222-222222222222';

describe('copies of a trace', () => {
  const root = trace(
    { project_id: 'p', run_id: 'source' },
    { session_id: 'session', dataset_metadata: { k: 'v' }, external_id: 'x' },
  );
  const child = span(root);
  const leaf = span(root, { parent_id: child.id });
  const [first, second, third] = copiesFor('run', [root, child, leaf], sha256, false);

  it('hang together as the originals do, in no session, and name them', () => {
    expect(first).toMatchObject({
      run_id: 'run',
      parent_id: null,
      trace_id: first!.id,
      session_id: first!.id,
      external_id: 'x',
    });
    expect(second).toMatchObject({ parent_id: first!.id, trace_id: first!.id, session_id: first!.id });
    expect(third!.parent_id).toBe(second!.id);
    expect(first!.dataset_metadata).toEqual({ k: 'v', source_record_id: root.id });
  });

  it('stay in one session where that is copied, too', () => {
    const other = trace({ project_id: 'p', run_id: 'source' }, { session_id: 'session' });
    const sessions = [root, other].map((one) => copiesFor('run', [one], sha256, true)[0]!.session_id);
    expect(sessions[0]).toBe(sessions[1]);
    expect(sessions).not.toContain('session');
    const alone = trace({ project_id: 'p', run_id: 'source' });
    const [copy] = copiesFor('run', [{ ...alone, session_id: alone.id }], sha256, true);
    expect(copy!.session_id).toBe(copy!.id);
  });

  it('have ids of their own, the same at every try and others in another run', () => {
    const ids = (run_id: string) => copiesFor(run_id, [root, child, leaf], sha256, false).map(({ id }) => id);
    expect(ids('run')).toEqual([first!.id, second!.id, third!.id]);
    expect(new Set([...ids('run'), ...ids('other'), root.id, child.id, leaf.id]).size).toBe(9);
  });
});

describe('a row as a trace', () => {
  const made = (values: object, types = ['trace']) => traceOfRow('run', { row_id: ROW, values: { ...values } }, types, sha256);

  it.each<[object, object]>([
    [
      { input: 'q', output: 'e', generated_output: 'g' },
      { input: 'q', output: 'g', dataset_input: 'q', dataset_output: 'e' },
    ],
    [
      { input: 'q', output: 'e' },
      { output: 'e', dataset_output: 'e' },
    ],
    [
      { input: 7, generated_output: { a: 1 } },
      { input: '7', output: '{"a":1}', dataset_output: null },
    ],
    [{}, { input: '', output: '' }],
    [{ metadata: '{"a":"b","n":1}' }, { dataset_metadata: { a: 'b', n: '1', dataset_row_id: ROW } }],
    [{ metadata: { a: 'b' } }, { dataset_metadata: { a: 'b', dataset_row_id: ROW } }],
    [{ metadata: 'no map' }, { dataset_metadata: { metadata: 'no map', dataset_row_id: ROW } }],
    [{ metadata: '{"dataset_row_id":"x"}' }, { dataset_metadata: { dataset_row_id: ROW } }],
  ])('of %j has %j', (values, expected) => {
    expect(made(values)).toMatchObject(expected);
  });

  it('has a span of each other type, with ids of their own', () => {
    expect(made({ input: 'q' }, ['trace'])).toMatchObject({ type: 'trace', spans: [] });
    expect(made({ input: 'q' }, ['chat', 'tool', 'trace'])).toMatchObject({
      spans: [{ type: 'llm', input: 'q' }, { type: 'tool' }],
    });
  });
});
