import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expandSpan, MAPPING, RESOURCE, type ShortCase } from '../../../test/fixtures/otel/short-form.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { summarizeTrace } from '../trace-summary.ts';
import { mapSpan } from './map-span.ts';
import type { MappedSpan } from './mapped-span.ts';

const ROOT = 'test/fixtures/otel';
const files = globSync(`${ROOT}/*/*.json`).filter((path) => !path.includes('/captured/'));

/** As the API shows it: fields of the type beside the others. Only the fields that are asked for. */
function shown(record: object, asked: object): Record<string, unknown> {
  const { attributes = {} } = record as Partial<MappedSpan>;
  const all: Record<string, unknown> = {
    ...record,
    ...attributes,
    session_external_id: (record as { session?: string }).session,
  };
  return Object.fromEntries(Object.keys(asked).map((name) => [name, all[name]]));
}

it('finds the cases', () => {
  expect(files.length).toBeGreaterThan(30);
});

describe.each(files)('%s', (path) => {
  const case_ = JSON.parse(readFileSync(path, 'utf8')) as ShortCase;
  const spans = case_.spans.map((span) => mapSpan(expandSpan(span), case_.scope, RESOURCE, MAPPING));

  it(case_.about, () => {
    expect(spans.map((span, at) => shown(span, case_.out[at] ?? {}))).toEqual(case_.out as JsonValue);
    if (case_.trace) expect(shown(summarizeTrace(spans)!, case_.trace)).toEqual(case_.trace);
  });
});
