import { type BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { Steps } from '../../core/kernel/slices.ts';
import { malformed, type RequestBudget } from './request-budget.ts';

/** Where a reader stands: it may not pass `end`, the end of the innermost message. */
export interface Frame {
  readonly reader: BinaryReader;
  readonly budget: RequestBudget;
  end: number;
}

/** A field of a message: its wire type, and what to do with its value. */
export interface Field<T> {
  readonly wire: WireType;
  readonly read: (frame: Frame, into: T) => void;
}

/** The fields of a message by number. Others are skipped, as is a known one of the wrong wire type. */
export type Fields<T> = Readonly<Record<number, Field<T>>>;

const MAX_GROUP_DEPTH = 32;
/** Bytes that are read without a turn for others: a few milliseconds. */
const BYTES_AT_ONCE = 128 * 1024;

export function fill<T>(frame: Frame, fields: Fields<T>, into: T): void {
  const { reader } = frame;
  while (reader.pos < frame.end) {
    const [number, wire] = reader.tag();
    const field = fields[number];
    if (field?.wire === wire) field.read(frame, into);
    else reader.skip(wire, number, MAX_GROUP_DEPTH);
  }
  if (reader.pos !== frame.end) throw malformed('a message is longer than it says');
}

/** Reads the message that begins here, behind its length. */
export function fillNested<T>(frame: Frame, fields: Fields<T>, into: T): void {
  const outer = frame.end;
  frame.end = toEnd(frame);
  fill(frame, fields, into);
  frame.end = outer;
}

/** Reads a field that takes long, in steps; called before its length. */
export type FieldSteps<T> = (frame: Frame, into: T) => Steps<void>;

/** As `fillNested`, with some messages inside read in steps: those in `deeper`, which have no entry in `fields`. */
export function* fillInSteps<T>(
  frame: Frame,
  fields: Fields<T>,
  deeper: Readonly<Record<number, FieldSteps<T>>>,
  into: T,
): Steps<void> {
  const { reader } = frame;
  while (reader.pos < frame.end) {
    const [number, wire] = reader.tag();
    const field = fields[number];
    const below = wire === WireType.LengthDelimited ? deeper[number] : undefined;
    const start = reader.pos;
    if (below) {
      yield* below(frame, into);
      if (Math.floor(start / BYTES_AT_ONCE) !== Math.floor(reader.pos / BYTES_AT_ONCE)) yield;
    } else if (field?.wire === wire) field.read(frame, into);
    else reader.skip(wire, number, MAX_GROUP_DEPTH);
  }
  if (reader.pos !== frame.end) throw malformed('a message is longer than it says');
}

/** The same for the message that begins here, behind its length. */
export function* fillNestedInSteps<T>(
  frame: Frame,
  fields: Fields<T>,
  deeper: Readonly<Record<number, FieldSteps<T>>>,
  into: T,
): Steps<void> {
  const outer = frame.end;
  frame.end = toEnd(frame);
  yield* fillInSteps(frame, fields, deeper, into);
  frame.end = outer;
}

/** Where the message ends whose length is read next. */
function toEnd({ reader, end }: Frame): number {
  const length = reader.uint32();
  if (reader.pos + length > end) throw malformed('a message is longer than the one it is in');
  return reader.pos + length;
}

const field =
  <V>(wire: WireType, take: (frame: Frame) => V) =>
  <T>(set: (into: T, value: V, frame: Frame) => void): Field<T> => ({
    wire,
    read: (frame, into) => set(into, take(frame), frame),
  });

export const text = field(WireType.LengthDelimited, ({ reader }) => reader.string());
export const bytes = field(WireType.LengthDelimited, ({ reader }) => reader.bytes());
export const int64 = field(WireType.Varint, ({ reader }) => BigInt(reader.int64()));
export const int32 = field(WireType.Varint, ({ reader }) => reader.int32());
export const uint32 = field(WireType.Varint, ({ reader }) => reader.uint32());
export const bool = field(WireType.Varint, ({ reader }) => reader.bool());
export const double = field(WireType.Bit64, ({ reader }) => reader.double());
export const fixed64 = field(WireType.Bit64, ({ reader }) => BigInt(reader.fixed64()));
export const fixed32 = field(WireType.Bit32, ({ reader }) => reader.fixed32());

/** A message in a field: `read` is called before its length. */
export const message = <T>(read: (frame: Frame, into: T) => void): Field<T> => ({ wire: WireType.LengthDelimited, read });

/** Bytes of the length-delimited value that begins here. */
export function lengthAhead({ reader }: Frame): number {
  const start = reader.pos;
  const length = reader.uint32();
  reader.pos = start;
  return length;
}

/** Steps over a length-delimited value. */
export const skipDelimited = ({ reader }: Frame): unknown => reader.skip(WireType.LengthDelimited);
