import { RECORD_TYPES, type RecordType, recordType } from '../../../core/traces/catalogue/span-types.ts';

/** Catalogue entry of a type; undefined for one that this console is too old to know. */
export const toEntry = (type: string) => (RECORD_TYPES.includes(type as RecordType) ? recordType(type as RecordType) : undefined);

/** Sets the colour that bars and badges of a type of step have. */
export const stepColor = (type: string): Record<string, string> => ({ '--step': (toEntry(type) ?? recordType('trace')).color });
