import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readModelPrices } from './model-prices.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-prices-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROW = { provider: 'gateway', model: 'in-house', from: '2026-01-01', input: 1, output: 2 };
const read = (text: string) => {
  const file = join(folder, 'prices.json');
  writeFileSync(file, text);
  return readModelPrices(file);
};

describe("the operator's prices", () => {
  it('are none without a file', () => {
    expect(readModelPrices(undefined)).toEqual([]);
  });

  it('are those of the file', () => {
    expect(read(JSON.stringify([ROW]))).toEqual([ROW]);
  });

  it.each([
    ['[{', /prices.json cannot be read/],
    [JSON.stringify({ ROW }), /not a list of prices/],
    [JSON.stringify([{ ...ROW, input: -1, form: '2026' }]), /not a list of prices:.*form/s],
    [JSON.stringify([ROW, { ...ROW, until: 'soon' }]), /\[1\]\.until/],
  ])('are refused with the name of the file: %s', (text, says) => {
    expect(() => read(text)).toThrow(says);
    expect(() => readModelPrices(join(folder, 'no-such.json'))).toThrow(/no-such.json cannot be read/);
  });
});
