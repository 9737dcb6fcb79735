import { javascript } from './index.ts';

/** Forbidden attempts by programs in JavaScript, with whatever types may stand in it. */
export const attempts = {
  throws: { source: 'function scorer() {\n  throw new Error("no such field");\n}', says: 'no such field', line: 2 },
  hangs: 'function scorer() { for (;;); }',
  floods: 'function scorer() { const keep = []; for (;;) keep.push(new Array(100_000).fill(keep.length)); }',
  shouts: 'function scorer() { return "x".repeat(200_000); }',
  gives_no_value: ['NaN', 'Infinity', 'undefined', 'null', '({ a: 1 })', '[[1]]', 'scorer', '1n', 'Symbol()', 'new Date()'].map(
    (value) => `function scorer() { return ${value}; }`,
  ),
  counts: 'globalThis.calls = (globalThis.calls ?? 0) + 1;\nfunction scorer() { return globalThis.calls; }',
  changes:
    'function scorer(record) { record.output = "changed"; JSON.parse = () => ({}); Object.prototype.output = 1; return true; }',
  exits:
    'function scorer() { try { process.exit(1); } catch { globalThis.constructor.constructor("process.kill(process.pid)")(); } return 1; }',
  reaches: (url: string, path: string): string[] => [
    `async function scorer() { return (await fetch(${JSON.stringify(url)})).text(); }`,
    `const scorer = async () => (await import('node:fs')).readFileSync(${JSON.stringify(path)}, 'utf8');`,
    `function scorer() { return require('fs').readFileSync(${JSON.stringify(path)}, 'utf8'); }`,
    'function scorer() { return process.env.TOUCHSTONE_CANARY; }',
    `function scorer() { return globalThis.constructor.constructor('return process')().env.TOUCHSTONE_CANARY; }`,
    `function scorer() {
      const { readFileSync } = this.constructor.constructor('return process')().getBuiltinModule('fs');
      return readFileSync(${JSON.stringify(path)}, 'utf8');
    }`,
  ],
} as const;

/** The case that the kit tries the plugin with. */
export const javascriptKit = {
  plugin: javascript,
  folder: import.meta.dirname,
  source:
    'function scorer({ output }, { required, ground_truth }) {\n  return output === ground_truth ? required.other : output.length;\n}',
  records: [
    '{"output":"four"}',
    { record: '{"output":"yes"}', context: '{"required":{"other":0.5},"ground_truth":"yes"}' },
    '{}',
  ],
  expected: [
    { kind: 'returned', value: 4 },
    { kind: 'returned', value: 0.5 },
    { kind: 'threw', message: "TypeError: Cannot read properties of undefined (reading 'length') (scorer.js:2:60)" },
  ],
  broken: { source: 'function scorer() {\n  return 1;\n}}\n', line: 3 },
  unsigned: 'const judge = () => 1;',
  attempts,
} as const;
