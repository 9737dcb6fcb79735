import type { JsonValue } from '../../core/kernel/json.ts';
import {
  bool,
  bytes,
  double,
  type Fields,
  type Frame,
  fillNested,
  int64,
  lengthAhead,
  message,
  skipDelimited,
  text,
} from './protobuf-message.ts';
import { doubleValue, intValue } from './span-draft.ts';

interface Value {
  value: JsonValue;
  readonly depth: number;
}

interface Pair extends Value {
  key: string;
}

interface Items {
  readonly items: JsonValue[];
  readonly depth: number;
}

interface Entries {
  readonly entries: Record<string, JsonValue>;
  readonly depth: number;
}

const VALUE: Fields<Value> = {
  1: text((into, value) => {
    into.value = value;
  }),
  2: bool((into, value) => {
    into.value = value;
  }),
  3: int64((into, value) => {
    into.value = intValue(value);
  }),
  4: double((into, value) => {
    into.value = doubleValue(value);
  }),
  5: message((frame, into) => {
    if (isTooDeep(frame, into)) return;
    const list: Items = { items: [], depth: into.depth + 1 };
    fillNested(frame, LIST, list);
    into.value = list.items;
  }),
  6: message((frame, into) => {
    if (isTooDeep(frame, into)) return;
    const map: Entries = { entries: Object.create(null), depth: into.depth + 1 };
    fillNested(frame, MAP, map);
    into.value = map.entries;
  }),
  7: bytes((into, value) => {
    into.value = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }),
};

const LIST: Fields<Items> = {
  1: message((frame, into) => {
    if (frame.budget.isSpanFull) skipRest(frame);
    else into.items.push(readValue(frame, into.depth));
  }),
};

const MAP: Fields<Entries> = {
  1: message((frame, into) => {
    if (frame.budget.isSpanFull) return skipRest(frame);
    const { key, value } = readPair(frame, into.depth);
    into.entries[key] = value;
  }),
};

const PAIR: Fields<Pair> = {
  1: text((into, key) => {
    into.key = key;
  }),
  2: message((frame, into) => {
    into.value = readValue(frame, into.depth);
  }),
};

/** Adds one attribute, of a key sent twice the last value. Returns false, and adds nothing, when it is more than the span may hold. */
export function readAttribute(frame: Frame, attributes: Map<string, JsonValue>): boolean {
  const { budget } = frame;
  if (budget.isSpanFull || lengthAhead(frame) > budget.limits.maxPartBytes) {
    skipDelimited(frame);
    return false;
  }
  const { key, value } = readPair(frame, 0);
  if (budget.isSpanFull) return false;
  attributes.set(key, value);
  return true;
}

/** A value on its own, such as the body of a log record. */
export const readAnyValue = (frame: Frame): JsonValue => readValue(frame, 0);

/** Leaves a list or a map of which nothing will be kept, without a look at the rest of it. */
function skipRest({ reader, end }: Frame): void {
  reader.pos = end;
}

function readPair(frame: Frame, depth: number): Pair {
  const pair: Pair = { key: '', value: null, depth };
  frame.budget.takeValues(1);
  fillNested(frame, PAIR, pair);
  return pair;
}

function readValue(frame: Frame, depth: number): JsonValue {
  const holder: Value = { value: null, depth };
  frame.budget.takeValues(1);
  fillNested(frame, VALUE, holder);
  return holder.value;
}

/** Whether a value lies too deep. Such values are left out, so no body can exhaust the stack. */
function isTooDeep(frame: Frame, { depth }: Value): boolean {
  if (depth < frame.budget.limits.maxDepth) return false;
  skipDelimited(frame);
  return true;
}
