import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputType, ScoreValue } from '../../../core/plugin-sdk/index.ts';
import { aggregate } from './aggregate.ts';
import type { Aggregation } from './aggregation.ts';

const LABELS = ['c', 'a', 'b'];

function verdict(output_type: OutputType, values: readonly ScoreValue[], aggregation?: Aggregation, labels?: readonly string[]) {
  const votes = values.map((value, judge) => ({ value, explanation: `judge ${judge}` }));
  return aggregate(votes, { aggregation }, { output_type, range: { min: 1, max: 5 }, ...(labels && { labels }) });
}

const several = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 10 });
const label = fc.constantFrom(...LABELS);
/** As judges give them: each label once, in the scorer's order. */
const labelSet = fc.subarray(LABELS);

describe('aggregation, beside a plain second way to count', () => {
  it('of yes and no', () => {
    fc.assert(
      fc.property(several(fc.boolean()), (votes) => {
        let balance = 0;
        for (const vote of votes) balance += vote ? 1 : -1;
        const yes = (votes.length + balance) / 2;
        expect(verdict('boolean', votes).value).toBe(balance > 0);
        expect(verdict('boolean', votes).agreement).toBeCloseTo((balance > 0 ? yes : votes.length - yes) / votes.length);
        expect(verdict('boolean', votes, 'share').value).toBeCloseTo(yes / votes.length);
      }),
    );
  });

  it('of classes', () => {
    fc.assert(
      fc.property(several(label), (votes) => {
        const count = (one: string) => votes.filter((vote) => vote === one).length;
        const best = (order: readonly string[]) => order.reduce((a, b) => (count(b) > count(a) ? b : a));
        expect(verdict('categorical', votes, undefined, LABELS).value).toBe(best(LABELS));
        expect(verdict('categorical', votes).value).toBe(best(['a', 'b', 'c']));
        expect(verdict('categorical', votes).agreement).toBeCloseTo(count(best(['a', 'b', 'c'])) / votes.length);
      }),
    );
  });

  it('of numbers', () => {
    fc.assert(
      fc.property(several(fc.integer({ min: 0, max: 9 })), (votes) => {
        const sorted = [...votes].sort((a, b) => a - b);
        const middle = (sorted.length - 1) / 2;
        expect(verdict('discrete', votes).value).toBeCloseTo(votes.reduceRight((sum, vote) => sum + vote) / votes.length);
        expect(verdict('count', votes, 'min').value).toBe(sorted[0]);
        expect(verdict('count', votes, 'max').value).toBe(sorted.at(-1));
        expect(verdict('count', votes, 'median').value).toBe((sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2);
      }),
    );
  });

  it('of label sets, as lists and as maps', () => {
    fc.assert(
      fc.property(several(labelSet), fc.constantFrom('majority', 'union', 'intersection'), (votes, how) => {
        const holds = (one: string): boolean => {
          let votesFor = 0;
          for (const vote of votes) if (vote.indexOf(one) >= 0) votesFor++;
          if (how === 'union') return votesFor >= 1;
          return how === 'intersection' ? votesFor === votes.length : votesFor > votes.length / 2;
        };
        expect(verdict('multilabel', votes, how, LABELS).value).toEqual(LABELS.filter(holds));
        const maps = votes.map((vote) => Object.fromEntries(LABELS.map((one) => [one, vote.includes(one)])));
        expect(verdict('boolean_multilabel', maps, how, LABELS).value).toEqual(
          Object.fromEntries(LABELS.map((one) => [one, holds(one)])),
        );
      }),
    );
  });

  it('of chunks', () => {
    const lists = fc.integer({ min: 0, max: 5 }).chain((n) => several(fc.array(fc.boolean(), { minLength: n, maxLength: n })));
    fc.assert(
      fc.property(lists, (votes) => {
        const expected = votes[0]!.map(
          (_, chunk) => votes.map((vote) => vote[chunk]).filter(Boolean).length / votes.length > 0.5,
        );
        expect(verdict('retrieved_chunk_list_boolean', votes).value).toEqual(expected);
      }),
    );
  });

  it('explains by a judge who came nearest, the first of them', () => {
    fc.assert(
      fc.property(several(fc.integer({ min: 0, max: 9 })), (votes) => {
        const { value, explanation } = verdict('discrete', votes);
        const judge = Number(explanation!.slice('judge '.length));
        const off = votes.map((vote) => Math.abs(vote - (value as number)));
        expect(off.every((one, index) => (index < judge ? one > off[judge]! : one >= off[judge]!))).toBe(true);
      }),
    );
  });
});

describe('the votes of a jury', () => {
  const OF_TYPE: readonly (readonly [OutputType, Aggregation, fc.Arbitrary<ScoreValue>])[] = [
    ['boolean', 'majority', fc.boolean()],
    ['boolean', 'share', fc.boolean()],
    ['categorical', 'majority', label],
    ['count', 'mean', fc.integer({ min: 0, max: 9 })],
    ['count', 'median', fc.integer({ min: 0, max: 9 })],
    ['multilabel', 'majority', labelSet],
  ];

  it.each(OF_TYPE)('of type %s count by %s as if each were there as often as it weighs', (output_type, aggregation, value) => {
    const weighed = fc.record({ value, weight: fc.integer({ min: 1, max: 4 }) });
    fc.assert(
      fc.property(fc.array(weighed, { minLength: 1, maxLength: 5 }), (votes) => {
        const form = { output_type, range: { min: 1, max: 5 }, labels: LABELS };
        // A third of each weight: only their ratio counts.
        const given = votes.map((vote) => ({ value: vote.value, weight: vote.weight / 3 }));
        const repeated = votes.flatMap((vote) => Array.from({ length: vote.weight }, () => ({ value: vote.value })));
        const [byWeight, byNumber] = [given, repeated].map((all) => aggregate(all, { aggregation }, form));
        if (typeof byNumber!.value === 'number') expect(byWeight!.value).toBeCloseTo(byNumber!.value);
        else expect(byWeight!.value).toEqual(byNumber!.value);
        if (aggregation !== 'share') expect(byWeight!.agreement).toBeCloseTo(byNumber!.agreement);
      }),
    );
  });
});

describe('aggregation by example', () => {
  it('gives ties to no, and to the label that comes first', () => {
    expect(verdict('boolean', [true, false])).toEqual({ value: false, explanation: 'judge 1', agreement: 0.5 });
    expect(verdict('categorical', ['b', 'a'], undefined, ['b', 'a']).value).toBe('b');
    expect(verdict('categorical', ['\u{1f99c}', '\uf8ff']).value).toBe('\uf8ff');
  });

  it('shows a share with the explanation of the side that has more', () => {
    expect(verdict('boolean', [false, true, true], 'share')).toEqual({
      value: 2 / 3,
      explanation: 'judge 1',
      agreement: 2 / 3,
    });
  });

  it('does not round a mean', () => {
    expect(verdict('discrete', [4, 5, 5])).toEqual({ value: 14 / 3, explanation: 'judge 1', agreement: 2 / 3 });
  });

  it('takes the first of free texts', () => {
    expect(verdict('freeform', ['x', 'y', 'y'])).toEqual({ value: 'x', explanation: 'judge 0', agreement: 1 / 3 });
  });
});
