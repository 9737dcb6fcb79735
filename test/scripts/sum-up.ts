import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { computeCounts } from './test-results.ts';

/** Why tests say that they were not run, or not whole. */
const REASON = /^(P\d+b?: )?(not tried|skipped): |^SKIPPED: /i;

/**
 * Sums up a run by Vitest's JSON report and what the tests printed, the two arguments: what was skipped and why, what
 * failed, and last the line that a runner can count.
 */
const [report = '', printed = ''] = process.argv.slice(2);
const { passed, failed, skipped } = computeCounts(readFileSync(report, 'utf8'));
const lines = stripVTControlCharacters(readFileSync(printed, 'utf8')).split('\n');
for (const name of skipped) console.log(`skipped: ${name}`);
for (const line of new Set(lines.filter((line) => REASON.test(line)))) console.log(`because: ${line}`);
for (const { name, message } of failed) console.log(`failed: ${name}: ${message}`);
console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
