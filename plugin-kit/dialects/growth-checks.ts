import assert from 'node:assert/strict';
import { type Check, check } from '../check.ts';
import { type OtelDialectCase, readFields, type SampleSpan, toOtlpSpan } from './dialect-case.ts';
import { longerLists } from './sample-spans.ts';

const FEW = 100;
const MANY = 16 * FEW;
/** Linear time grows 16-fold, quadratic time 256-fold. */
const MOST = 64;
/** A time below this is harmless, and too short to be measured. */
const SHORT_MS = 25;
/** A time above this is measured once. */
const LONG_MS = 1_000;
const TRIES = 3;

/** That no sender can make a span costly: what it takes grows no faster than what was sent. */
export const growthChecks = (given: OtelDialectCase): Check[] => [
  check('takes time in proportion to the attributes of a span', () => {
    for (const span of given.spans) expectLinear(given, (many) => withMore(given, span, many));
  }),
  check('takes time in proportion to the items of a list', () => {
    for (const span of given.spans) expectLinear(given, (many) => longerLists(span, many, (text) => text));
  }),
  check('takes time in proportion to the length of a string', () => {
    for (const span of given.spans) expectLinear(given, (many) => longerTexts(span, many));
  }),
];

function expectLinear({ plugin }: OtelDialectCase, make: (many: number) => SampleSpan): void {
  const measure = (size: number, tries = TRIES) => {
    const sample = make(size);
    const span = toOtlpSpan(sample);
    return Math.min(...Array.from({ length: tries }, () => processorMs(() => readFields(plugin, span, sample.scope))));
  };
  const first = measure(MANY, 1);
  if (first < SHORT_MS) return;
  const few = measure(FEW);
  const many = first > LONG_MS ? first : measure(MANY);
  assert.ok(many / few < MOST, `${MANY / FEW} times as much took ${(many / few).toFixed()} times as long`);
}

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.max((user + system) / 1000, 0.1);
}

/** Attributes of further names under the prefixes that the dialect recognises and those that the span has. */
function withMore({ plugin }: OtelDialectCase, span: SampleSpan, many: number): SampleSpan {
  const { attributes = {} } = span;
  const own = (plugin.recognizes.attributes ?? []).filter((name) => name.endsWith('.'));
  const used = Object.keys(attributes).map((name) => name.slice(0, name.lastIndexOf('.') + 1));
  const prefixes = [...new Set([...own, ...used])].filter((prefix) => prefix !== '');
  const more = Array.from({ length: many }, (_, at) => [`${prefixes[at % prefixes.length] ?? 'x.'}more_${at}`, 'x'] as const);
  return { ...span, attributes: { ...attributes, ...Object.fromEntries(more) } };
}

function longerTexts(span: SampleSpan, many: number): SampleSpan {
  const { attributes = {} } = span;
  const longer = Object.entries(attributes).map(([name, value]) => {
    const isText = typeof value === 'string' && !/^\s*[[{"]/.test(value) && value.length > 20;
    return [name, isText ? value.repeat(many) : value] as const;
  });
  return { ...span, attributes: Object.fromEntries(longer) };
}
