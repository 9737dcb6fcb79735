import { RECORD_TYPES, type RecordType, recordType } from '../../../core/traces/catalogue/span-types.ts';

/** What the catalogue says of a type; undefined for one that this console is too old to know. */
export const entryOf = (type: string) => (RECORD_TYPES.includes(type as RecordType) ? recordType(type as RecordType) : undefined);

/** Sets the colour that bars and badges of a type of step have. */
export const stepColor = (type: string): Record<string, string> => ({ '--step': (entryOf(type) ?? recordType('trace')).color });
