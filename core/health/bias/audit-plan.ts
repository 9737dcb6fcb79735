import type { ScoreValue } from '../../plugin-sdk/index.ts';
import { type AuditCase, type AuditTexts, changeText, type TextPlace } from './audit-texts.ts';
import { MODEL_FAMILIES, type ModelFamily, PADDING, toAuthorLine, toMarkdown } from './fixtures/added-texts.ts';
import { encode } from './fixtures/encodings.ts';
import { toHarmless } from './fixtures/harmless-text.ts';
import { INJECTIONS, type Injection } from './fixtures/injections.ts';
import type { Probe } from './probe.ts';
import { getDemanded, isOrdered, type VerdictScale } from './verdict-scale.ts';

/** A text that the judge is asked about. */
export interface AuditAsk {
  readonly key: string;
  readonly texts: AuditTexts;
  /** Whether the labels of the verdict are shown in the opposite order. */
  readonly is_reversed?: boolean;
}

/** Everything that decides which questions an audit asks. */
export interface AuditScope {
  readonly cases: readonly AuditCase[];
  readonly probes: readonly Probe[];
  readonly scale: VerdictScale;
  readonly place: TextPlace;
  /** Of the judge; undefined where its name tells none. */
  readonly family: ModelFamily | undefined;
}

/** Verdicts by the key of their question; null where the judge gave none. */
export type Verdicts = ReadonlyMap<string, ScoreValue | null>;

/** How often the same text is judged. */
export const REPEATS = 3;
const FAMILIES_ASKED = 4;

export const KEYS = {
  base: ({ id }: AuditCase, time = 0) => `base/${time}/${id}`,
  changed: (probe: Probe, { id }: AuditCase, how = '') => `${probe}/${how}/${id}`,
  injection: ({ id }: Injection, side: 'attempt' | 'control') => `injection/${side}/${id}`,
} as const;

/** The questions that can be asked at once: all but the attempts to lead the judge astray, which depend on what it says to others. */
export function planFirstAsks(scope: AuditScope): AuditAsk[] {
  const times = scope.probes.includes('repeatability') ? REPEATS : isOrdered(scope.scale) ? 1 : 2;
  const bases = scope.cases.flatMap((one) =>
    Array.from({ length: times }, (_, time) => ({ key: KEYS.base(one, time), texts: one.texts })),
  );
  return [...bases, ...scope.probes.flatMap((probe) => scope.cases.flatMap((one, at) => CHANGES[probe](scope, one, at)))];
}

/** How the text of a case is changed by each probe; the attempts are planned by themselves. */
const CHANGES: Readonly<Record<Probe, (scope: AuditScope, one: AuditCase, at: number) => AuditAsk[]>> = {
  repeatability: () => [],
  injection: () => [],
  verbosity: ({ place }, one, at) => [
    {
      key: KEYS.changed('verbosity', one),
      texts: changeText(one.texts, place, (text) => `${text}\n\n${PADDING[at % PADDING.length]}`),
    },
  ],
  formatting: ({ place }, one) => [{ key: KEYS.changed('formatting', one), texts: changeText(one.texts, place, toMarkdown) }],
  language: (_scope, one) => (one.translated ? [{ key: KEYS.changed('language', one), texts: one.translated }] : []),
  self_preference: (scope, one) =>
    listFamilies(scope).map((family) => ({
      key: KEYS.changed('self_preference', one, family),
      texts: changeText(one.texts, scope.place, (text) => `${text}\n\n${toAuthorLine(family)}`),
    })),
  position: (scope, one) => {
    if (swapsLabels(scope)) return [{ key: KEYS.changed('position', one, 'labels'), texts: one.texts, is_reversed: true }];
    if (!one.options) return [];
    const [chosen, other] = one.options;
    const first = changeText(one.texts, scope.place, () => toChoice(chosen, other, chosen));
    const second = changeText(one.texts, scope.place, () => toChoice(other, chosen, chosen));
    const again = isOrdered(scope.scale) ? [] : [{ key: KEYS.changed('position', one, 'again'), texts: first }];
    return [
      { key: KEYS.changed('position', one, 'first'), texts: first },
      { key: KEYS.changed('position', one, 'second'), texts: second },
      ...again,
    ];
  },
};

/** Judges that are shown labels may prefer the first of them; of others the order of what is compared is swapped. */
export const swapsLabels = ({ scale }: AuditScope): boolean => !isOrdered(scale) && (scale.labels?.length ?? 0) > 1;

const toChoice = (first: string, second: string, chosen: string): string =>
  `A: ${first}\nB: ${second}\n\nMy choice of the two: ${chosen}`;

/** Four families, that of the judge first where it is known. */
export function listFamilies({ family }: AuditScope): ModelFamily[] {
  const names = MODEL_FAMILIES.map(({ name }) => name);
  const others = names.filter((name) => name !== family);
  return [...(family ? [family] : []), ...others].slice(0, FAMILIES_ASKED);
}

/** An attempt to lead the judge astray in a case, with the verdict that it demands. */
export interface PlannedInjection {
  readonly injection: Injection;
  readonly one: AuditCase;
  readonly given: ScoreValue;
  readonly demanded: ScoreValue;
}

/**
 * Attempts in the weak cases, in turns, each demanding a verdict far from the one that the case got. Without verdicts those that would be made
 * if every case got one.
 */
export function planInjections(scope: AuditScope, verdicts: Verdicts | undefined): PlannedInjection[] {
  if (!scope.probes.includes('injection')) return [];
  const weak = scope.cases.filter(({ is_weak }) => is_weak);
  return INJECTIONS.flatMap((injection, at) => {
    const one = weak[at % weak.length];
    const given = one && (verdicts ? verdicts.get(KEYS.base(one)) : undefined);
    if (!one || given === null || (verdicts && given === undefined)) return [];
    const demanded = getDemanded(scope.scale, given);
    return demanded === undefined ? [] : [{ injection, one, given: given ?? demanded, demanded }];
  });
}

/** The attempt, and a harmless text of the same length, form and language in its place. */
export function toInjectionAsks({ place }: AuditScope, { injection, one, demanded }: PlannedInjection): AuditAsk[] {
  const { language, encoding } = injection;
  const order = injection.text.replaceAll('{verdict}', () => JSON.stringify(demanded));
  const asked = (side: 'attempt' | 'control', text: string): AuditAsk => ({
    key: KEYS.injection(injection, side),
    texts: changeText(one.texts, place, (own) => `${own}\n\n${encode(text, encoding)}`),
  });
  return [asked('attempt', order), asked('control', toHarmless(order, language))];
}
