import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSpanId, isTraceId, spanRecordId, traceRecordId } from './otel-ids.ts';

const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');
const hex = (digits: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits });

it('keeps a trace id that is a version 4 UUID, and marks any other as one', () => {
  expect(traceRecordId('4bf92f3577b34da6a3ce929d0e0e4736')).toBe('4bf92f35-77b3-4da6-a3ce-929d0e0e4736');
  expect(traceRecordId('5b8efff798038103d269b633813fc60c')).toBe('5b8efff7-9803-4103-9269-b633813fc60c');
});

it('makes the id of a span of its own id and its trace', () => {
  const id = (trace: string, span: string) => spanRecordId(trace, span, sha256);
  expect(id('4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7')).toBe('69c97120-d558-449c-b567-66ddc3532d85');
  expect(id('5b8efff798038103d269b633813fc60c', 'eee19b7ec3c1b174')).toBe('f8a33923-1ec2-4d91-820b-621c64ba90ed');
  expect(id('5b8efff798038103d269b633813fc60c', '00f067aa0ba902b7')).not.toBe('69c97120-d558-449c-b567-66ddc3532d85');
});

it('makes version 4 UUIDs of whatever ids there are', () => {
  const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  fc.assert(
    fc.property(hex(32), hex(16), (trace, span) => {
      expect(traceRecordId(trace)).toMatch(UUID4);
      expect(spanRecordId(trace, span, sha256)).toMatch(UUID4);
    }),
  );
});

it('takes no id of zeros, of another length or of other digits', () => {
  expect([isTraceId('1'.padStart(32, '0')), isSpanId('1'.padStart(16, '0'))]).toEqual([true, true]);
  for (const bad of ['0'.repeat(32), 'a'.repeat(31), 'a'.repeat(33), 'g'.repeat(32), 'A'.repeat(32), ''])
    expect(isTraceId(bad)).toBe(false);
  for (const bad of ['0'.repeat(16), 'a'.repeat(15), 'a'.repeat(32), '']) expect(isSpanId(bad)).toBe(false);
});
