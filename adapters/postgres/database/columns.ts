import { p, Type } from '@mikro-orm/core';
import { toUtc } from '../../../core/kernel/timestamp.ts';

/** `timestamptz` as the wire shows it: ISO 8601 in UTC, exact to the microsecond, never a JavaScript Date. */
export class UtcTimestamp extends Type<string, string> {
  override convertToDatabaseValue(value: string): string {
    return value;
  }
  override convertToJSValue(value: string | Date): string {
    const text = value instanceof Date ? value.toISOString() : value;
    return toUtc(text) ?? text;
  }
  override getColumnType(): string {
    return 'timestamptz(6)';
  }
  override compareAsType(): string {
    return 'string';
  }
}

export const timestamp = () => p.type(UtcTimestamp).$type<string>();
export const uuid = () => p.uuid().$type<string>();
export const text = () => p.text().$type<string>();
/** JSON whose shape is `T`; checked by the core before it is stored. */
export const jsonb = <T>() => p.json().$type<T>();

/**
 * A row as a plain object of its shape: no entity leaves this adapter. The cast rests on the store contracts, which
 * compare every field with what was stored.
 */
export const plain = <Shape extends object>(row: object): Shape => ({ ...row }) as Shape;
