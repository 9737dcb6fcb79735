import { blankOf, COMMON_FIELD_NAMES, commonField, type PlacedField } from './catalogue/record-fields.ts';
import type { LogRecord } from './record.ts';

const names = COMMON_FIELD_NAMES.filter((name) => commonField(name).blank !== undefined);

/** Record of which nothing is known but its type and place. */
export const BLANK_RECORD = {
  ...Object.fromEntries(names.map((name) => [name, blankOf(name)])),
  attributes: {},
} as unknown as Omit<LogRecord, PlacedField>;
