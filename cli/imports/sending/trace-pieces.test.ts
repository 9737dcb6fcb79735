import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/kernel/json.ts';
import type { BuiltSpan, BuiltTrace } from '../to-trace.ts';
import { toPieces } from './trace-pieces.ts';

const traceOf = (spans: readonly BuiltSpan[]): BuiltTrace => ({
  trace: { id: 'trace' },
  spans,
  ratings: [],
  session: undefined,
  scores: 0,
  left_out: [],
});
const span = (id: string, parent_id = 'trace', text = ''): BuiltSpan => ({ id, parent_id, fields: { id, text } });

/** The parent of each span, as the service would have it after all pieces in their order; it refuses one whose parent is not there. */
function replay(trace: BuiltTrace): Map<string, string> {
  const parents = new Map([['trace', '']]);
  const hang = (spans: readonly JsonObject[], parent: string): void => {
    for (const one of spans) {
      parents.set(one.id as string, parent);
      hang((one.spans ?? []) as readonly JsonObject[], one.id as string);
    }
  };
  for (const { parent_id, spans } of toPieces(trace)) {
    expect(parents.has(parent_id)).toBe(true);
    hang(spans, parent_id);
  }
  parents.delete('trace');
  return parents;
}

const expected = ({ spans }: BuiltTrace) => new Map(spans.map(({ id, parent_id }) => [id, parent_id]));

describe('a trace for requests', () => {
  it('is one piece when it is small', () => {
    const trace = traceOf([span('a'), span('b', 'a'), span('c', 'b'), span('d')]);
    expect(toPieces(trace)).toHaveLength(1);
    expect(replay(trace)).toEqual(expected(trace));
  });

  it('is cut where it is too long, and every span keeps its parent', () => {
    const spans = [
      span('root'),
      ...Array.from({ length: 30 }, (_, at) => span(`s${at}`, at % 3 === 0 ? 'root' : `s${at - 1}`, 'x'.repeat(1_000_000))),
    ];
    const trace = traceOf(spans);
    const pieces = toPieces(trace);
    expect(pieces.length).toBeGreaterThan(6);
    for (const piece of pieces) expect(JSON.stringify(piece).length).toBeLessThan(6_000_000);
    expect(replay(trace)).toEqual(expected(trace));
  });

  it('is cut where it is too deep', () => {
    const trace = traceOf(Array.from({ length: 200 }, (_, at) => span(`s${at}`, at === 0 ? 'trace' : `s${at - 1}`)));
    expect(toPieces(trace)).toHaveLength(5);
    expect(replay(trace)).toEqual(expected(trace));
  });

  it('is cut after so many spans', () => {
    const trace = traceOf(Array.from({ length: 5_000 }, (_, at) => span(`s${at}`)));
    expect(toPieces(trace).map(({ spans }) => spans.length)).toEqual([2_000, 2_000, 1_000]);
    expect(replay(trace)).toEqual(expected(trace));
  });
});
