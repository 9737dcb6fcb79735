import type { JsonValue } from '../../core/kernel/json.ts';
import { malformed } from './request-budget.ts';

export type JsonFields = Readonly<Record<string, JsonValue>>;

/** A field of OTLP/JSON. null stands for absent; a value of the wrong kind is refused with the name of its field. */
export function getField(fields: JsonFields, name: string): JsonValue | undefined {
  return Object.hasOwn(fields, name) ? (fields[name] ?? undefined) : undefined;
}

export function getObject(value: JsonValue, name: string): JsonFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(`${name} is not an object`);
  return value as JsonFields;
}

export function objectAt(fields: JsonFields, name: string): JsonFields {
  const value = getField(fields, name);
  return value === undefined ? {} : getObject(value, name);
}

export function listAt(fields: JsonFields, name: string): readonly JsonValue[] {
  const value = getField(fields, name);
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw malformed(`${name} is not an array`);
  return value as readonly JsonValue[];
}

export function textAt(fields: JsonFields, name: string): string {
  const value = getField(fields, name);
  if (value === undefined) return '';
  if (typeof value !== 'string') throw malformed(`${name} is not a string`);
  return value;
}

/** Whole numbers of 64 bits come as texts, but many send numbers. */
export function integerAt(fields: JsonFields, name: string): bigint {
  const value = getField(fields, name);
  return value === undefined ? 0n : parseInteger(value, name);
}

export function parseInteger(value: JsonValue, name: string): bigint {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (typeof value !== 'string' || !/^-?\d{1,20}$/.test(value)) throw malformed(`${name} is not a whole number`);
  return BigInt(value);
}

/** A time or a set of flags: not negative, and no more than `bits` hold. */
export function unsignedAt(fields: JsonFields, name: string, bits: number): bigint {
  const value = integerAt(fields, name);
  if (value !== BigInt.asUintN(bits, value)) throw malformed(`${name} is out of range`);
  return value;
}

/** Enumerations are numbers; some send the names. What is unknown is the first of them. */
export function enumAt(fields: JsonFields, name: string, names: readonly string[]): number {
  const value = getField(fields, name);
  if (typeof value === 'string') return Math.max(0, names.indexOf(value.toUpperCase()));
  return typeof value === 'number' && Number.isInteger(value) ? value : 0;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Ids are hex. A common mistake is base64, which has another length. */
export function idAt(fields: JsonFields, name: string): string {
  const id = textAt(fields, name);
  const isBase64 = (id.length === 24 || id.length === 12) && BASE64.test(id);
  return isBase64 ? Buffer.from(id, 'base64').toString('hex') : id.toLowerCase();
}
