import { readFileSync, writeFileSync } from 'node:fs';
import { DOCUMENTATION, withTable } from './sender-table.ts';

/** Writes the table of senders in the documentation anew, from what is seen of what they sent. */
writeFileSync(DOCUMENTATION, withTable(readFileSync(DOCUMENTATION, 'utf8')));
