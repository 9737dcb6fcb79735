import assert from 'node:assert/strict';
import type { JsonValue } from '../../core/plugin-sdk/index.ts';
import { type Check, type CheckList, check, expectSame } from '../check.ts';
import { dialectFolderChecks } from '../folder-checks.ts';
import { fixedHeadCheck, headCheck } from '../head-check.ts';
import { processState } from '../process-state.ts';
import { closeWaysPast, type WaysPast } from '../ways-past.ts';
import { changesBy, type OtelDialectCase, type Reading, readBy, type SampleSpan } from './dialect-case.ts';
import { growthChecks } from './growth-checks.ts';
import { hostileNames, longerLists, STRANGERS, strangeVersions } from './sample-spans.ts';

export type { ExpectedSpan, OtelDialectCase, SampleSpan } from './dialect-case.ts';

/** Checks of every OpenTelemetry dialect. */
export function otelDialectChecks(given: OtelDialectCase): CheckList {
  const { plugin } = given;
  let past: WaysPast | undefined;
  return {
    title: `OpenTelemetry dialect ${plugin.id}`,
    checks: [
      headCheck(plugin),
      fixedHeadCheck(plugin),
      ...readingChecks(given),
      ...lossChecks(given),
      ...stateChecks(given, () => past?.attempts ?? []),
      ...growthChecks(given),
      ...dialectFolderChecks(given.folder, plugin),
    ],
    open: async () => {
      past = closeWaysPast(plugin.id);
    },
    reset: () => {
      past?.attempts.splice(0);
    },
    close: async () => past?.reopen(),
  };
}

/** Reads a span of the case, and fails on whatever the service would have logged. */
function read(given: OtelDialectCase, span: SampleSpan, what: string): Reading {
  const reading = readBy(given.plugin, span);
  const [fault] = reading.faults;
  if (fault) assert.fail(`${fault.field} of ${what} ${fault.what}${fault.stack ? `\n${fault.stack}` : ''}`);
  return reading;
}

const numbered = ({ spans }: OtelDialectCase) => spans.map((span, at) => ({ span, what: `span ${at + 1}` }));

function readingChecks(given: OtelDialectCase): Check[] {
  const { plugin, spans } = given;
  return [
    check('recognises the spans of its case', () => {
      assert.ok(spans.length > 0, 'the case has no spans');
      for (const { span, what } of numbered(given)) assert.ok(readBy(plugin, span).is_recognized, `${what} is not recognised`);
    }),
    check('recognises no span of others', () => {
      const claimed = STRANGERS.filter((span) => readBy(plugin, span).is_recognized);
      assert.deepEqual(claimed, [], 'spans of protocols, databases and plain names are not of this dialect');
    }),
    check('reads of each span what is expected, and no more', () => {
      for (const { span, what } of numbered(given)) expectSame(read(given, span, what).fields, span.expected);
    }),
    check('has every source tried by the spans of its case', () => {
      const found = new Set(spans.flatMap(({ expected }) => Object.keys(expected)));
      const untried = Object.keys(plugin.sources).filter((field) => !found.has(field));
      assert.deepEqual(untried, [], 'no span of the case has these fields');
    }),
    check('reads the same in whichever order attributes come', () => {
      for (const { span, what } of numbered(given)) {
        const entries = Object.entries(span.attributes ?? {});
        for (const order of [entries.toReversed(), entries.toSorted(([a], [b]) => (a < b ? 1 : -1)), rotated(entries)])
          expectSame(read(given, { ...span, attributes: Object.fromEntries(order) }, what).fields, span.expected);
      }
    }),
    check('reads spans of any shape without failing', () => {
      for (const { span, what } of numbered(given))
        for (const version of strangeVersions(span)) read(given, version, `${what}, with other attributes`);
    }),
  ];
}

const rotated = <T>(items: readonly T[]): T[] => {
  const half = items.length >> 1;
  return [...items.slice(half), ...items.slice(0, half)];
};

/** That what was sent is in the record, in a field or beside it. */
function lossChecks(given: OtelDialectCase): Check[] {
  return [
    check('loses nothing that was sent', () => {
      for (const { span, what } of numbered(given)) expectKept(given, span, read(given, span, what), what);
    }),
    check('loses no item of longer lists', () => {
      for (const { span, what } of numbered(given)) {
        const contents = contentsIn(span.expected);
        const mark = (text: string, copy: number) => (contents.has(text) ? `${text} (${copy})` : text);
        const longer = longerLists(span, 5, mark);
        expectKept(given, longer, read(given, longer, what), `${what}, with longer lists`);
      }
    }),
  ];
}

/** Strings that a person or a model wrote: they may be told apart by adding to them. */
function contentsIn({ input_messages = [], output_messages = [], documents = [] }: OtelDialectCase['spans'][number]['expected']) {
  return new Set([...input_messages, ...output_messages, ...documents].map(({ content }) => content));
}

function expectKept(given: OtelDialectCase, span: SampleSpan, { record }: Reading, what: string): void {
  const { not_kept = [], plugin } = given;
  const isLeftOut = (name: string) =>
    not_kept.includes(name) || (plugin.secret_prefixes ?? []).some((prefix) => name.startsWith(prefix));
  const kept = unescaped(JSON.stringify(record));
  const missing = Object.entries(span.attributes ?? {})
    .filter(([name]) => !isLeftOut(name))
    .flatMap(([name, value]) => leavesIn(value).map((leaf) => ({ name, leaf })))
    .filter(({ leaf }) => !kept.includes(leaf));
  assert.deepEqual(missing, [], `${what} has attributes that were used and stand nowhere in its record`);
}

/** JSON inside of JSON is escaped once more at each level. */
const unescaped = (json: string): string => json.replaceAll(/\\+/g, '');

/** A time may be kept in another unit. */
const digitsOf = (number: number): string =>
  String(number)
    .replace('.', '')
    .replaceAll(/^0+|0+$/g, '');

/** Strings and numbers in a value, also where it is JSON text. */
function leavesIn(value: JsonValue): string[] {
  if (typeof value === 'number') return [digitsOf(value)];
  if (typeof value === 'string') return leavesOfText(value);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values<JsonValue>(value).flatMap(leavesIn);
}

function leavesOfText(text: string): string[] {
  try {
    const parsed: unknown = /^\s*[[{"]/.test(text) ? JSON.parse(text) : undefined;
    if (parsed !== undefined) return leavesIn(parsed as JsonValue);
  } catch {
    // Then it is no JSON.
  }
  const words = unescaped(JSON.stringify(text).slice(1, -1));
  return words === '' ? [] : [words];
}

/** Checks that a dialect keeps no state and changes nothing. */
function stateChecks(given: OtelDialectCase, past: () => readonly string[]): Check[] {
  const { plugin } = given;
  return [
    check('reads the same whatever was read before', () => {
      const all = numbered(given);
      for (const { span, what } of [...all, ...all.toReversed(), ...all.flatMap((one) => [one, one])])
        expectSame(read(given, span, what).fields, span.expected);
      for (const { span } of all) readBy(plugin, { ...span, attributes: {}, events: [] });
      for (const { span, what } of all) expectSame(read(given, span, what).fields, span.expected);
    }),
    check('changes nothing of what it is given', () => {
      for (const { span, what } of numbered(given)) {
        const { fault, changed } = changesBy(plugin, span);
        assert.equal(fault, undefined, `of ${what}`);
        assert.deepEqual(changed.after, changed.before, `of ${what}`);
      }
    }),
    check('lets no name of an attribute reach a prototype', () => {
      const state = processState();
      try {
        for (const { span, what } of numbered(given)) {
          const hostile = read(given, hostileNames(span), `${what}, with hostile names`);
          for (const value of Object.values(hostile.fields)) assert.equal(Object(value).polluted, undefined);
        }
      } finally {
        state.restore();
      }
      assert.deepEqual(state.changes(), []);
    }),
    check('leaves the process as it was, and asks nobody', async () => {
      const state = processState();
      try {
        for (const { span } of numbered(given)) readBy(plugin, span);
        await new Promise((resolve) => setTimeout(resolve, 5));
      } finally {
        state.restore();
      }
      assert.deepEqual([...state.changes(), ...past()], []);
    }),
  ];
}
