import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundJsonBytes } from './value-size.ts';

it('never estimates a value to be shorter as JSON than it is, whatever has to be escaped in it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(boundJsonBytes(value)).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(value)));
    }),
  );
});

it('estimates the worst texts and numbers high enough', () => {
  for (const value of [
    '\0'.repeat(1000),
    '\u{1F600}'.repeat(1000),
    Array(100).fill(-Number.MAX_VALUE),
    { ['\0'.repeat(9)]: null },
  ])
    expect(boundJsonBytes(value)).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(value)));
});
