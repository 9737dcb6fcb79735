import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NewSegmentFilter } from './metric-settings.ts';
import { computeShare, isInSample } from './sampling.ts';

const code = { model_type: 'code', multimodal_capabilities: null };
const judge = { model_type: 'llm', multimodal_capabilities: null };
const seeing = { model_type: 'code', multimodal_capabilities: ['vision'] };
const record = (facts: object = {}) => ({
  id: randomUUID(),
  trace_id: randomUUID(),
  type: 'llm',
  name: 'a',
  user_metadata: {},
  ...facts,
});
const isIn = (filters: object[], entry: typeof judge | typeof seeing = judge, of = record()) =>
  isInSample(
    filters.map((filter) => NewSegmentFilter.parse(filter)),
    entry,
    of,
  );

describe('a sample', () => {
  it('holds everything without filters, and all or nothing at the ends', () => {
    expect([isIn([]), isIn([{ sample_rate: 1 }]), isIn([{ sample_rate: 0 }])]).toEqual([true, true, false]);
  });

  it('is decided by the trace: all its spans and all scorers agree, at every look', () => {
    for (let time = 0; time < 200; time += 1) {
      const trace_id = randomUUID();
      const said = [code, judge, seeing].flatMap((entry) =>
        [record({ trace_id }), record({ trace_id }), record({ id: trace_id, trace_id })].map((one) =>
          isIn([{ sample_rate: 0.5 }], entry, one),
        ),
      );
      expect(new Set(said).size).toBe(1);
    }
  });

  it('of a session is decided by its own id', () => {
    const { trace_id: _none, ...session } = record({ type: 'session' });
    expect(isIn([{ sample_rate: computeShare(session.id) + 1e-9 }], judge, session as ReturnType<typeof record>)).toBe(true);
    expect(isIn([{ sample_rate: computeShare(session.id) }], judge, session as ReturnType<typeof record>)).toBe(false);
  });

  it.each([0.1, 0.5, 0.9])('holds about the share asked for: %s', (sample_rate) => {
    const records = Array.from({ length: 20_000 }, (_, at) =>
      record({ trace_id: `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}` }),
    );
    const share = records.filter((one) => isIn([{ sample_rate }], judge, one)).length / records.length;
    expect(Math.abs(share - sample_rate)).toBeLessThan(0.015);
  });

  it('of a larger share holds every smaller one', () => {
    for (let time = 0; time < 500; time += 1) {
      const one = record();
      if (isIn([{ sample_rate: 0.2 }], judge, one)) expect(isIn([{ sample_rate: 0.3 }], judge, one)).toBe(true);
    }
  });

  it('follows the first filter that holds for the record and is about the scorer', () => {
    const named = (value: string) => ({ name: 'node_name', value });
    const filters = [
      { sample_rate: 0, filter: named('a') },
      { sample_rate: 1, filter: null },
    ];
    expect([
      isIn(filters),
      isIn(filters, judge, record({ name: 'b' })),
      isIn([filters[0]!], judge, record({ name: 'b' })),
    ]).toEqual([false, true, true]);
    const only = [{ sample_rate: 0, llm_scorers: true }];
    expect([isIn(only, judge), isIn(only, code), isIn(only, seeing)]).toEqual([false, true, true]);
    const seen = [{ sample_rate: 0, multimodal_scorers: true }];
    expect([isIn(seen, judge), isIn(seen, code), isIn(seen, seeing)]).toEqual([true, true, false]);
  });
});
