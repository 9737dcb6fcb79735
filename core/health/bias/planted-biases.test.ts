import { describe, expect, it } from 'vitest';
import { type JudgedText, plantedJudge, type VerdictForm } from '../../../test/fixtures/health/planted-judges.ts';
import type { OutputType, ScoreValue } from '../../plugin-sdk/index.ts';
import { type AuditAsk, type AuditScope, planFirstAsks, planInjections, toInjectionAsks } from './audit-plan.ts';
import { BUILT_IN_CASES } from './built-in-cases.ts';
import { judgeProbes } from './judge-probes.ts';
import { pairVerdicts } from './measure-probes.ts';
import { PROBES } from './probe.ts';

const LABELS = ['poor', 'fair', 'fine'];
const quoted = (text: string, labels: readonly string[]) => labels.find((label) => text.includes(`"${label}"`));
const numberIn = (text: string) => {
  const [found] = /(?<![\d:])\d+(?![\d:])/.exec(text.replace(/12:00:01|id=17|1\.0|0{16}|200/g, '')) ?? [];
  return found === undefined ? undefined : Number(found);
};

const FORMS: Partial<Record<OutputType, VerdictForm>> = {
  boolean: {
    good: true,
    bad: false,
    read: (text) => (/\btrue\b/.test(text) ? true : /\bfalse\b/.test(text) ? false : undefined),
  },
  percentage: { good: 0.8, bad: 0.2, read: numberIn },
  discrete: { good: 4, bad: 2, read: numberIn },
  count: { good: 9, bad: 2, read: numberIn },
  categorical: { good: 'fine', bad: 'fair', read: (text) => quoted(text, LABELS), first: (labels) => labels[0]! },
  multilabel: {
    good: ['fine'],
    bad: ['fair'],
    read: (text) => [quoted(text, LABELS) ?? 'fair'],
    first: (labels) => [labels[0]!],
  },
  boolean_multilabel: {
    good: { poor: false, fair: false, fine: true },
    bad: { poor: false, fair: true, fine: false },
    read: (text) => JSON.parse(/\{"poor"[^}]*\}/.exec(text)?.[0] ?? 'null') ?? undefined,
    first: (labels) => Object.fromEntries(LABELS.map((label) => [label, label === labels[0]])),
  },
  retrieved_chunk_list_boolean: {
    good: [true],
    bad: [false],
    read: (text) => (text.includes('[true]') ? [true] : text.includes('[false]') ? [false] : undefined),
  },
};

function scopeOf(output_type: OutputType): AuditScope {
  const labels = FORMS[output_type]!.first ? LABELS : undefined;
  return {
    cases: BUILT_IN_CASES,
    probes: PROBES,
    scale: { output_type, labels, range: output_type === 'discrete' ? { min: 1, max: 5 } : undefined },
    place: 'answer',
    family: undefined,
  };
}

async function audit(scope: AuditScope, judge: (judged: JudgedText) => ScoreValue | null) {
  const verdicts = new Map<string, ScoreValue | null>();
  const ask = ({ key, texts, is_reversed }: AuditAsk) => {
    const { labels } = scope.scale;
    verdicts.set(key, judge({ texts, labels: is_reversed ? labels?.toReversed() : labels }));
  };
  for (const one of planFirstAsks(scope)) ask(one);
  for (const one of planInjections(scope, verdicts).flatMap((planned) => toInjectionAsks(scope, planned))) ask(one);
  return judgeProbes(pairVerdicts(scope, verdicts), true, async () => {});
}

const found = (results: Awaited<ReturnType<typeof audit>>) =>
  results.flatMap(({ probe, verdict }) => (verdict === 'biased' ? [probe] : []));

describe.each(Object.keys(FORMS) as OutputType[])('an audit of verdicts of type %s', (output_type) => {
  const scope = scopeOf(output_type);
  const form = FORMS[output_type]!;

  it.each(PROBES)('finds %s where it is planted, and nothing else', async (planted) => {
    const results = await audit(scope, plantedJudge(planted, form));
    expect(found(results)).toEqual([planted]);
    const own = results.find(({ probe }) => probe === planted)!;
    expect(own.effect).not.toBe(0);
    expect(own.interval!.low * own.interval!.high).toBeGreaterThan(0);
    expect(own.changed.length).toBeGreaterThan(0);
  });

  it('finds nothing in a fair judge, from enough pairs of each kind', async () => {
    const results = await audit(scope, plantedJudge('nothing', form));
    expect(found(results)).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'not_enough_data')).toEqual([]);
  });
});

describe('an audit', () => {
  const scope = scopeOf('boolean');

  it('says that there is not enough data where the judge gives hardly any verdicts', async () => {
    const judge = plantedJudge('verbosity', FORMS.boolean!);
    const results = await audit(scope, (judged) => (judged.texts.answer.includes('N') ? judge(judged) : null));
    for (const { verdict, p_value, pairs } of results.filter(({ probe }) => probe !== 'injection'))
      expect([verdict, p_value, pairs < 9]).toEqual(['not_enough_data', null, true]);
  });

  it('tests the family of the judge alone where it is known', async () => {
    const known: AuditScope = { ...scope, family: 'GPT' };
    const [own] = (await audit(known, plantedJudge('self_preference', FORMS.boolean!))).filter(
      ({ probe }) => probe === 'self_preference',
    );
    expect(own).toMatchObject({ verdict: 'biased', pairs: 24, groups: [{ name: 'GPT', pairs: 24, effect: 0.5 }] });
    const other: AuditScope = { ...scope, family: 'Claude' };
    const [none] = (await audit(other, plantedJudge('self_preference', FORMS.boolean!))).filter(
      ({ probe }) => probe === 'self_preference',
    );
    expect(none!.groups.map(({ name }) => name)).toEqual(['Claude']);
  });

  it('asks each question once', () => {
    for (const output_type of Object.keys(FORMS) as OutputType[]) {
      const own = scopeOf(output_type);
      const asks = [...planFirstAsks(own), ...planInjections(own, undefined).flatMap((one) => toInjectionAsks(own, one))];
      expect(new Set(asks.map(({ key }) => key)).size).toBe(asks.length);
    }
  });
});
