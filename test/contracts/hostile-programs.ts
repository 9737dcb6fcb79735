// biome-ignore-all format: this is a table, one program to a line
import type { ScoreValue } from '../../core/plugin-sdk/index.ts';
import type { Outcome, Program } from '../../core/scorers/scoring/code-sandbox.ts';

type Kind = Outcome['kind'];

/** A program that means harm, or that a careless author could write, and the only ways in which it may end. */
export interface HostileProgram {
  readonly name: string;
  /** Aim of the program. */
  readonly tries: string;
  readonly source: string;
  readonly language?: Program['language'];
  /** JSON text; `{"text":"hello"}` unless given. */
  readonly record?: string;
  readonly allowed: readonly Kind[];
  /** The only value it may return. */
  readonly value?: ScoreValue;
}

const RETURNED: readonly Kind[] = ['returned'];
const THREW: readonly Kind[] = ['threw'];
const REFUSED: readonly Kind[] = ['refused'];
const TIME: readonly Kind[] = ['timed_out'];
const MEMORY: readonly Kind[] = ['out_of_memory'];
/** Where it depends on the machine which limit comes first. */
const STOPPED: readonly Kind[] = ['timed_out', 'out_of_memory'];
/** Where the language itself may refuse the size before a limit is met. */
const STOPPED_OR_THREW: readonly Kind[] = ['timed_out', 'out_of_memory', 'threw'];
const ANY_END: readonly Kind[] = ['returned', 'threw', 'timed_out', 'out_of_memory'];

const body = (statements: string): string => `function scorer(record) { ${statements} }`;

const SOURCE_TEXT: readonly HostileProgram[] = [
  { name: 'trailing comment', tries: 'to swallow text put after it', source: `${body('return 1')} // end`, allowed: RETURNED, value: 1 },
  { name: 'open comment', tries: 'to swallow text put after it', source: `${body('return 1')} /*`, allowed: REFUSED },
  { name: 'byte order mark', tries: 'a first character that is no code', source: `\uFEFF${body('return 2')}`, allowed: RETURNED, value: 2 },
  { name: 'carriage returns', tries: 'other line ends', source: 'function scorer(r) {\r\n  return 3;\r\n}\r\n', allowed: RETURNED, value: 3 },
  { name: 'syntax error', tries: 'text that is no program', source: 'function scorer( {', allowed: REFUSED },
  { name: 'closing brackets', tries: 'to leave a wrapper that is not there', source: '}); process.exit(1); (() => {', allowed: REFUSED },
  { name: 'empty text', tries: 'nothing at all', source: '', allowed: REFUSED },
  { name: 'other name', tries: 'to define no scorer', source: 'function score() { return 1 }', allowed: REFUSED },
  { name: 'scorer is a number', tries: 'to be called when it cannot be', source: 'const scorer = 5;', allowed: REFUSED },
  { name: 'scorer is a class', tries: 'a function that cannot be called', source: 'class scorer {}', allowed: THREW },
  { name: 'two exports', tries: 'to confuse which one runs', source: 'export default () => 4; export const scorer = () => 5;', allowed: RETURNED, value: 4 },
  { name: 'default is no function', tries: 'an export that cannot be called', source: 'export default { scorer: 1 };', allowed: REFUSED },
  { name: 'import of a module', tries: 'to load files', source: 'import fs from "node:fs"; export default () => fs.readdirSync("/");', allowed: REFUSED },
  { name: 'export from', tries: 'to load files by re-export', source: 'export { readFileSync as default } from "node:fs";', allowed: REFUSED },
  { name: 'import.meta', tries: 'to learn its path', source: 'export default () => String(import.meta.url ?? import.meta.dirname);', allowed: RETURNED, value: 'undefined' },
  { name: 'too large', tries: 'to fill the store', source: `${body('return 1')}//${'x'.repeat(300_000)}`, allowed: REFUSED },
  { name: 'NUL character', tries: 'to end the text early', source: `${body('return 1')} // \0 rest`, allowed: REFUSED },
  { name: 'lone surrogate', tries: 'text that cannot be stored', source: `${body('return 1')} // \uD800`, allowed: REFUSED },
  { name: 'hashbang', tries: 'to name another interpreter', source: `#!/bin/sh\n${body('return 6')}`, allowed: RETURNED, value: 6 },
  { name: 'source map comment', tries: 'to make us fetch a file', source: `${body('return 7')}\n//# sourceMappingURL=file:///etc/passwd`, allowed: RETURNED, value: 7 },
  { name: 'script nested deeply', tries: 'to overflow the stack of the parser', source: `const scorer = ${'('.repeat(100_000)}`, allowed: ['refused', 'out_of_memory'] },
  { name: 'many functions', tries: 'to tire the parser', source: `${'function f(){}'.repeat(15_000)}${body('return 8')}`, allowed: RETURNED, value: 8 },
  { name: 'arrows in arrows', tries: 'parsing that grows with depth', source: `const scorer = ${'a=>'.repeat(2_000)}1`, allowed: ['refused', 'threw'] },
  { name: 'enum in TypeScript', tries: 'syntax that cannot be stripped', language: 'typescript', source: 'enum A { B }', allowed: REFUSED },
  { name: 'TypeScript nested deeply', tries: 'to break the type parser for all who follow', language: 'typescript', source: `let a:${'{a:'.repeat(60_000)}`, allowed: REFUSED },
  { name: 'types in JavaScript', tries: 'the wrong language', source: 'function scorer(record: unknown): number { return 1 }', allowed: REFUSED },
];

const CPU: readonly HostileProgram[] = [
  { name: 'loop at load', tries: 'to hang before it is called', source: 'for (;;);', allowed: TIME },
  { name: 'loop in call', tries: 'to hang', source: body('for (;;);'), allowed: TIME },
  { name: 'loop that catches', tries: 'to survive its end', source: body('for (;;) { try { for (;;); } catch {} finally { continue; } }'), allowed: TIME },
  { name: 'backtracking', tries: 'to hang inside a regular expression', source: body('return /^(a+)+$/.test("a".repeat(60) + "!")'), allowed: TIME },
  { name: 'backtracking at load', tries: 'the same before the call', source: '/^(a|a)*$/.test("a".repeat(60) + "!"); function scorer() {}', allowed: TIME },
  { name: 'squares of big integers', tries: 'arithmetic that is not interrupted', source: body('let n = 3n; for (;;) n *= n;'), allowed: STOPPED_OR_THREW },
  { name: 'power of a big integer', tries: 'one long operation', source: body('return String(7n ** 7_000_000n).length'), allowed: ANY_END },
  { name: 'big integer as text', tries: 'a long conversion', source: body('return (1n << 30_000_000n).toString().length'), allowed: ANY_END },
  { name: 'fill', tries: 'a built-in that ignores termination', source: body('return new Array(60 * 2 ** 20).fill(1).length'), allowed: ANY_END },
  { name: 'fill without end', tries: 'the same again and again', source: body('for (;;) new Array(2 ** 25).fill(1.5);'), allowed: STOPPED_OR_THREW },
  { name: 'index of in a hole', tries: 'a search through nothing', source: body('const a = []; a.length = 2 ** 32 - 1; a[2 ** 31] = 1; return a.indexOf(2) + a.lastIndexOf(2)'), allowed: ANY_END },
  { name: 'join of a hole', tries: 'a built-in over four thousand million items', source: body('const a = []; a.length = 2 ** 32 - 1; return a.join("x").length'), allowed: STOPPED_OR_THREW },
  { name: 'evil comparator', tries: 'a sort that does not end', source: body('return [3, 2, 1].sort(() => { for (;;); }).length'), allowed: TIME },
  { name: 'random comparator', tries: 'to confuse the sort', source: body('return Array.from({ length: 2e4 }, (_, i) => i).sort(() => Math.random() - 0.5).length'), allowed: ['returned', 'timed_out'], value: 20_000 },
  { name: 'getter that loops', tries: 'to hang while the result is read', source: body('const a = [1]; Object.defineProperty(a, 0, { get() { for (;;); } }); return a'), allowed: TIME },
  { name: 'proxy that loops', tries: 'to hang while the result is read', source: body('return new Proxy([1], { get() { for (;;); } })'), allowed: TIME },
  { name: 'getter named scorer', tries: 'to hang while it is looked up', source: 'Object.defineProperty(globalThis, "scorer", { get() { for (;;); } })', allowed: TIME },
  { name: 'endless recursion', tries: 'to overflow the stack', source: body('return scorer(record) + 1'), allowed: THREW },
  { name: 'recursion that catches', tries: 'to overflow the stack for ever', source: body('try { return scorer(record) } catch { return scorer(record) }'), allowed: TIME },
  { name: 'endless generator', tries: 'to hang in a spread', source: body('function* g() { for (;;) yield 1 } for (const _ of g());'), allowed: TIME },
  { name: 'long replace', tries: 'to hang in a text built-in', source: body('let s = "a".repeat(1e5); for (;;) s.replace(/a/g, (x) => x + "b");'), allowed: STOPPED },
  { name: 'waiting for the clock', tries: 'to sit out the limit', source: body('const end = Date.now() + 60_000; while (Date.now() < end); return 1'), allowed: TIME },
  { name: 'endless compilation', tries: 'to hang in eval', source: body('for (let i = 0; ; i++) eval("var x" + i + " = " + i);'), allowed: STOPPED },
];

const MEMORY_USE: readonly HostileProgram[] = [
  { name: 'filled arrays', tries: 'to pass both limits of the isolate', source: body('const keep = []; for (let i = 0; ; i++) keep.push(new Array(1000).fill(i));'), allowed: STOPPED },
  { name: 'filled arrays at load', tries: 'the same before the call', source: 'const keep = []; for (;;) keep.push(new Array(1e5).fill(1.5));', allowed: STOPPED },
  { name: 'growing array', tries: 'to fill the heap', source: body('const a = []; for (;;) a.push(a.length);'), allowed: STOPPED_OR_THREW },
  { name: 'one huge array', tries: 'to take it all at once', source: body('return new Array(2 ** 27).fill(1.5).length'), allowed: ANY_END },
  { name: 'doubled text', tries: 'a text without end', source: body('let s = "x"; for (;;) s += s;'), allowed: STOPPED_OR_THREW },
  { name: 'kept texts', tries: 'many different texts', source: body('const a = []; for (let i = 0; ; i++) a.push(("x" + i).repeat(1000));'), allowed: STOPPED_OR_THREW },
  { name: 'split text', tries: 'the fatal error of one allocation', source: body('return "ab".repeat(2 ** 27).split("").length'), allowed: ANY_END },
  { name: 'typed arrays', tries: 'memory outside of the heap', source: body('const a = []; for (;;) a.push(new Uint8Array(2 ** 20).fill(1));'), allowed: STOPPED_OR_THREW },
  { name: 'huge buffer', tries: 'memory outside of the heap, at once', source: body('return new ArrayBuffer(2 ** 33).byteLength'), allowed: STOPPED_OR_THREW },
  { name: 'resizable buffer', tries: 'to reserve more than it asks for', source: body('const b = new ArrayBuffer(8, { maxByteLength: 2 ** 31 }); b.resize(2 ** 31); new Uint8Array(b).fill(1); return 1'), allowed: ANY_END },
  { name: 'map', tries: 'a table that doubles', source: body('const m = new Map(); for (let i = 0; ; i++) m.set(i, i);'), allowed: STOPPED_OR_THREW },
  { name: 'set of objects', tries: 'a table that doubles', source: body('const s = new Set(); for (;;) s.add({});'), allowed: STOPPED_OR_THREW },
  { name: 'closures', tries: 'to keep everything', source: body('let f = () => 0; for (;;) { const g = f; const big = new Array(100).fill(g); f = () => [g, big]; }'), allowed: STOPPED },
  { name: 'linked list', tries: 'to fill the heap with small things', source: body('let n = null; for (;;) n = { n, v: [1, 2, 3] };'), allowed: STOPPED },
  { name: 'symbols', tries: 'a registry that is never emptied', source: body('for (let i = 0; ; i++) Symbol.for("s" + i + "x".repeat(500));'), allowed: STOPPED_OR_THREW },
  { name: 'properties', tries: 'a dictionary that doubles', source: body('const o = {}; for (let i = 0; ; i++) o["k" + i] = i;'), allowed: STOPPED },
  { name: 'WebAssembly memory', tries: 'memory that no limit counts', source: body('return new WebAssembly.Memory({ initial: 16 }).buffer.byteLength'), allowed: THREW },
  { name: 'shared memory', tries: 'memory that no limit counts', source: body('return new SharedArrayBuffer(2 ** 20).byteLength'), allowed: THREW },
  { name: 'flood while caught', tries: 'to survive the end of memory', source: body('const a = []; for (;;) { try { a.push("x".repeat(2 ** 28) + a.length); } catch { a.push(new Array(1e6).fill(0)); } }'), allowed: STOPPED },
  { name: 'JSON of many references', tries: 'a small value with a huge text', source: body('return JSON.stringify(new Array(1e6).fill("x".repeat(500))).length'), allowed: STOPPED_OR_THREW },
  { name: 'flat of nested', tries: 'an array that grows in a built-in', source: body('let a = [1]; for (;;) a = [a, a].flat();'), allowed: STOPPED_OR_THREW },
  { name: 'large record', tries: 'to be crushed by its input', source: body('return record.a.length'), record: JSON.stringify({ a: new Array(1_500_000).fill(1) }), allowed: ['returned', 'out_of_memory'], value: 1_500_000 },
  { name: 'oversized record', tries: 'an input above the limit', source: body('return 1'), record: JSON.stringify({ a: 'x'.repeat(9_000_000) }), allowed: MEMORY },
];

const HOST: readonly HostileProgram[] = [
  { name: 'process', tries: 'to read the environment', source: body('return JSON.stringify(process.env)'), allowed: THREW },
  { name: 'require', tries: 'to read files', source: body('return require("fs").readFileSync("/etc/passwd", "utf8")'), allowed: THREW },
  { name: 'dynamic import', tries: 'to read files', source: 'async function scorer() { return (await import("node:fs")).readdirSync("/").length }', allowed: THREW },
  { name: 'dynamic import at load', tries: 'to read files', source: 'import("node:child_process").then((m) => m.execSync("id")); function scorer() { return 1 }', allowed: ['returned', 'threw'], value: 1 },
  { name: 'globals', tries: 'to find a door among the globals', source: body('return Object.getOwnPropertyNames(globalThis).filter((n) => /process|require|module|Buffer|fetch|setTimeout|ivm|WebAssembly|Atomics|Shared|Weak|Final/.test(n) && !/^(ArrayBuffer|WeakMap|WeakSet)$/.test(n)).join()'), allowed: RETURNED, value: '' },
  { name: 'constructor of the record', tries: 'to reach the host through its objects', source: body('return record.constructor.constructor("return typeof process")()'), allowed: RETURNED, value: 'undefined' },
  { name: 'constructor of this', tries: 'to reach the host through `this`', source: body('return typeof this.constructor.constructor("return this")().process'), allowed: RETURNED, value: 'undefined' },
  { name: 'constructor of arguments', tries: 'to reach the caller', source: body('return String(arguments.callee.caller)'), allowed: RETURNED, value: 'null' },
  { name: 'caller', tries: 'to get hold of the kernel', source: body('return String(scorer.caller)'), allowed: RETURNED, value: 'null' },
  { name: 'Function', tries: 'code from text', source: body('return new Function("return typeof require + typeof process")()'), allowed: RETURNED, value: 'undefinedundefined' },
  { name: 'indirect eval', tries: 'code from text in the global scope', source: body('return (0, eval)("typeof process + typeof kernel")'), allowed: RETURNED, value: 'undefinedundefined' },
  { name: 'call sites', tries: 'functions of the host in a stack', source: body('Error.prepareStackTrace = (_, sites) => sites; const sites = new Error().stack; return sites.map((s) => typeof s.getFunction() + typeof s.getThis()).join()'), allowed: ['returned', 'threw'] },
  { name: 'stack text', tries: 'a path of the host', source: body('return /[/\\\\\\\\](work|home|root|usr|tmp|node_modules)/.test(new Error("x").stack)'), allowed: RETURNED, value: false },
  { name: 'stack without limit', tries: 'a path of the host', source: body('Error.stackTraceLimit = 1e9; return /node:|\\.ts:/.test(new Error("x").stack)'), allowed: RETURNED, value: false },
  { name: 'console', tries: 'to write to our log', source: body('console.log("x".repeat(1e6)); console.error(record); return 1'), allowed: RETURNED, value: 1 },
  { name: 'console flood', tries: 'to fill our log', source: body('for (;;) console.log("x".repeat(1e5));'), allowed: STOPPED },
  { name: 'debugger', tries: 'to stop for an inspector', source: body('debugger; return 2'), allowed: RETURNED, value: 2 },
  { name: 'native syntax', tries: 'internals of V8', source: body('return %DebugPrint(record)'), allowed: REFUSED },
  { name: 'exit', tries: 'to end the process', source: body('process.exit(0)'), allowed: THREW },
  { name: 'worker', tries: 'to start a thread', source: body('return new Worker("data:text/javascript,").terminate()'), allowed: THREW },
  { name: 'fetch', tries: 'to call the network', source: 'async function scorer() { return (await fetch("http://127.0.0.1/")).status }', allowed: THREW },
  { name: 'kernel by name', tries: 'to call the code around it', source: body('return typeof kernel + typeof start + typeof collect + typeof limits'), allowed: RETURNED, value: 'undefinedundefinedundefinedundefined' },
  { name: 'realm', tries: 'a fresh global', source: body('return new ShadowRealm().evaluate("1")'), allowed: THREW },
  { name: 'prototype of the record', tries: 'to pollute objects of the host', source: body('record.__proto__.polluted = 1; return ({}).polluted'), allowed: RETURNED, value: 1 },
];

const TAMPERING: readonly HostileProgram[] = [
  { name: 'own JSON.parse', tries: 'to see all records of the call', source: `JSON.parse = () => ({ text: "forged" }); ${body('return record.text')}`, allowed: RETURNED, value: 'hello' },
  { name: 'own JSON.stringify', tries: 'to forge outcomes', source: `JSON.stringify = () => '"x"},{"kind":"returned","value":9'; ${body('return "plain"')}`, allowed: RETURNED, value: 'plain' },
  { name: 'toJSON of texts', tries: 'to forge outcomes', source: `String.prototype.toJSON = () => "forged"; ${body('return "plain"')}`, allowed: RETURNED, value: 'plain' },
  { name: 'own JSON', tries: 'to take the parser away', source: `globalThis.JSON = null; ${body('return 1')}`, allowed: RETURNED, value: 1 },
  { name: 'own String', tries: 'to take conversions away', source: `globalThis.String = () => { for (;;); }; ${body('return 1')}`, allowed: RETURNED, value: 1 },
  { name: 'own Array.isArray', tries: 'to pass an object off as an array', source: `Array.isArray = () => true; ${body('return { length: 1, 0: 1 }')}`, allowed: THREW },
  { name: 'setter on array index', tries: 'to catch results on their way', source: `Object.defineProperty(Array.prototype, 0, { set() { for (;;); }, get() { return 9 } }); ${body('return 5')}`, allowed: RETURNED, value: 5 },
  { name: 'own iterator', tries: 'to catch arrays of the kernel', source: `Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1 }; ${body('return [1, 2]')}`, allowed: RETURNED, value: [1, 2] },
  { name: 'own push and join', tries: 'to catch arrays of the kernel', source: `for (const n of Object.getOwnPropertyNames(Array.prototype)) if (n !== "length") Array.prototype[n] = () => { throw 1 }; ${body('return [3]')}`, allowed: RETURNED, value: [3] },
  { name: 'own call and apply', tries: 'to catch calls of the kernel', source: `Function.prototype.call = Function.prototype.apply = Reflect.apply = () => 9; ${body('return 4')}`, allowed: RETURNED, value: 4 },
  { name: 'own exec', tries: 'to catch the search for a line', source: `RegExp.prototype.exec = () => { for (;;); }; ${body('throw new Error("x")')}`, allowed: THREW },
  { name: 'own slice', tries: 'to pass a message of any length', source: `String.prototype.slice = String.prototype.toWellFormed = function () { return "x".repeat(1e6) }; ${body('throw new Error("y".repeat(1e5))')}`, allowed: THREW },
  { name: 'accessor on Object.prototype', tries: 'to catch objects of the kernel', source: `Object.defineProperty(Object.prototype, "record", { set() { throw 1 }, get() { return 9 } }); ${body('return record.text')}`, allowed: RETURNED, value: 'hello' },
  { name: 'own then on Object.prototype', tries: 'to make all values promises', source: `Object.prototype.then = function (f) { f(7) }; ${body('return {}')}`, allowed: RETURNED, value: 7 },
  { name: 'then on numbers', tries: 'to make numbers promises', source: `Number.prototype.then = function (f) { f(9) }; ${body('return 3')}`, allowed: RETURNED, value: 3 },
  { name: 'own Promise', tries: 'to catch the promise of the kernel', source: `globalThis.Promise = null; async function scorer() { return 6 }`, allowed: RETURNED, value: 6 },
  { name: 'own Promise.then', tries: 'to catch the promise of the kernel', source: `Promise.prototype.then = () => { for (;;); }; async function scorer() { return 6 }`, allowed: RETURNED, value: 6 },
  { name: 'own Promise species', tries: 'to catch the promise of the kernel', source: `Object.defineProperty(Promise.prototype, "constructor", { get() { for (;;); } }); async function scorer() { return 6 }`, allowed: ['returned', 'timed_out'], value: 6 },
  { name: 'own Date', tries: 'to stop the clock of the kernel', source: `Date.now = () => 0; ${body('for (;;);')}`, allowed: TIME },
  { name: 'frozen globals', tries: 'to make the kernel fail', source: `Object.freeze(globalThis); for (const n of Object.getOwnPropertyNames(globalThis)) { try { Object.freeze(globalThis[n]) } catch {} } ${body('return 8')}`, allowed: ['returned', 'threw'], value: 8 },
  { name: 'own eval', tries: 'to catch the search for the scorer', source: `globalThis.eval = () => () => 9; ${body('return 2')}`, allowed: RETURNED, value: 2 },
  { name: 'scorer removed', tries: 'to vanish after loading', source: 'var scorer = () => 1; scorer = undefined;', allowed: REFUSED },
  { name: 'outcome as text', tries: 'to forge the outcome of the next record', source: body('return \'","x":1},{"kind":"returned","value":"forged\''), allowed: RETURNED, value: '","x":1},{"kind":"returned","value":"forged' },
  { name: 'separators', tries: 'to break the lines of a reply', source: body('return "a\\u2028b\\n\\u0000\\\\c"'), allowed: RETURNED, value: 'a\u2028b\n\0\\c' },
];

const OUTPUT: readonly HostileProgram[] = [
  { name: 'nothing', tries: 'to return nothing', source: body(''), allowed: THREW },
  { name: 'null', tries: 'to return null', source: body('return null'), allowed: THREW },
  { name: 'NaN', tries: 'a number that is none', source: body('return NaN'), allowed: THREW },
  { name: 'infinity', tries: 'a number that cannot be stored', source: body('return -1 / 0'), allowed: THREW },
  { name: 'negative zero', tries: 'a number that comes back different', source: body('return -0'), allowed: RETURNED, value: 0 },
  { name: 'largest number', tries: 'a number at the edge', source: body('return Number.MAX_VALUE'), allowed: RETURNED, value: Number.MAX_VALUE },
  { name: 'smallest number', tries: 'a number at the edge', source: body('return 5e-324'), allowed: RETURNED, value: 5e-324 },
  { name: 'big integer', tries: 'a value JSON does not know', source: body('return 1n'), allowed: THREW },
  { name: 'symbol', tries: 'a value that cannot be text', source: body('return Symbol("x")'), allowed: THREW },
  { name: 'function', tries: 'to hand out code', source: body('return () => 1'), allowed: THREW },
  { name: 'object', tries: 'to hand out structure', source: body('return { score: 1 }'), allowed: THREW },
  { name: 'wrapped number', tries: 'an object that looks like a number', source: body('return new Number(1)'), allowed: THREW },
  { name: 'cycle', tries: 'a value without end', source: body('const a = []; a[0] = a; return a'), allowed: THREW },
  { name: 'nested arrays', tries: 'a value of great depth', source: body('let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a'), allowed: THREW },
  { name: 'sparse array', tries: 'four thousand million holes', source: body('const a = []; a.length = 2 ** 32 - 1; return a'), allowed: THREW },
  { name: 'hole', tries: 'a hole among values', source: body('return [1, , 2]'), allowed: THREW },
  { name: 'long text', tries: 'to flood the store', source: body('return "x".repeat(2e6)'), allowed: THREW },
  { name: 'very long text', tries: 'to flood the server', source: body('return "x".repeat(2 ** 29 - 24)'), allowed: STOPPED_OR_THREW },
  { name: 'many texts', tries: 'to flood the store by an array', source: body('return new Array(900).fill("x".repeat(9000))'), allowed: THREW },
  { name: 'proxy of an array', tries: 'to change while it is read', source: body('let n = 0; return new Proxy([], { get: (_, k) => (k === "length" ? 2 : n++) })'), allowed: ['returned', 'threw'] },
  { name: 'revoked proxy', tries: 'a value that cannot be touched', source: body('const p = Proxy.revocable([], {}); p.revoke(); return p.proxy'), allowed: THREW },
  { name: 'length that lies', tries: 'a length that is no number', source: body('return new Proxy([], { get: (_, k) => (k === "length" ? { valueOf() { return 2 } } : 1) })'), allowed: THREW },
  { name: 'getter that throws', tries: 'to fail while it is read', source: body('const a = [1]; Object.defineProperty(a, 0, { get() { throw new Error("read") } }); return a'), allowed: THREW },
  { name: 'half a surrogate pair', tries: 'text that cannot be stored', source: body('return "a\\uD800"'), allowed: RETURNED, value: 'a\uD800' },
  { name: 'last value at load', tries: 'to flood the server by the value of the text', source: `${body('return 1')}; "x".repeat(2 ** 28)`, allowed: ['returned', 'threw', 'out_of_memory'], value: 1 },
];

const THROWING: readonly HostileProgram[] = [
  { name: 'throws null', tries: 'to break the reader of errors', source: body('throw null'), allowed: THREW },
  { name: 'throws nothing', tries: 'to break the reader of errors', source: body('throw undefined'), allowed: THREW },
  { name: 'throws a text', tries: 'to break the reader of errors', source: body('throw "x".repeat(1e6)'), allowed: THREW },
  { name: 'throws a symbol', tries: 'a value that cannot be text', source: body('throw Symbol("x")'), allowed: THREW },
  { name: 'throws a big integer', tries: 'a value JSON does not know', source: body('throw 10n ** 10000n'), allowed: THREW },
  { name: 'throws a function', tries: 'to hand out code', source: body('throw () => 1'), allowed: THREW },
  { name: 'message that loops', tries: 'to hang while it is read', source: body('throw { get message() { for (;;); } }'), allowed: TIME },
  { name: 'message that throws', tries: 'to fail while it is read', source: body('throw { get message() { throw 1 } }'), allowed: THREW },
  { name: 'toString that loops', tries: 'to hang while it is made text', source: body('throw { toString() { for (;;); }, valueOf() { for (;;); } }'), allowed: THREW },
  { name: 'huge message', tries: 'to flood the store', source: body('throw new Error("x".repeat(1e7))'), allowed: THREW },
  { name: 'huge stack', tries: 'to flood the store', source: body('const e = new Error("x"); e.stack = "y".repeat(1e7); throw e'), allowed: THREW },
  { name: 'words of a time limit', tries: 'to be taken for another end', source: body('throw new Error("Script execution timed out.")'), allowed: THREW },
  { name: 'words of a memory limit', tries: 'to be taken for another end', source: body('throw new RangeError("Isolate was disposed during execution due to memory limit")'), allowed: THREW },
  { name: 'proxy of an error', tries: 'to hang while it is read', source: body('throw new Proxy(new Error("x"), { get() { for (;;); } })'), allowed: TIME },
  { name: 'prepared stack', tries: 'to run while the stack is made', source: body('Error.prepareStackTrace = () => { for (;;); }; null.x'), allowed: TIME },
  { name: 'message that loops at load', tries: 'to hang while it is copied out', source: 'const e = new Error(); Object.defineProperty(e, "message", { get() { for (;;); } }); throw e;', allowed: ['threw', 'timed_out'] },
  { name: 'huge message at load', tries: 'to flood the server', source: 'throw new Error("x".repeat(2 ** 26));', allowed: STOPPED_OR_THREW },
];

const ASYNC: readonly HostileProgram[] = [
  { name: 'promise for ever', tries: 'to wait without end', source: body('return new Promise(() => {})'), allowed: THREW },
  { name: 'flood of microtasks', tries: 'to hang after it returned', source: 'async function scorer() { for (;;) await null }', allowed: TIME },
  { name: 'flood left behind', tries: 'to hang after it returned a value', source: body('(async () => { for (;;) await null })(); return 1'), allowed: TIME },
  { name: 'flood at load', tries: 'to hang before it is called', source: `(async () => { for (;;) await null })(); ${body('return 1')}`, allowed: TIME },
  { name: 'timer', tries: 'to come back later', source: body('setTimeout(() => {}, 0)'), allowed: THREW },
  { name: 'thenable that never calls', tries: 'to wait without end', source: body('return { then() {} }'), allowed: THREW },
  { name: 'thenable that loops', tries: 'to hang while it is awaited', source: body('return { then() { for (;;); } }'), allowed: TIME },
  { name: 'thenable that calls twice', tries: 'to give two results', source: body('return { then(f) { f(1); f(2) } }'), allowed: RETURNED, value: 1 },
  { name: 'thenable without end', tries: 'to be awaited for ever', source: body('const t = { then(f) { f(t) } }; return t'), allowed: TIME },
  { name: 'rejected promise', tries: 'to fail later', source: 'async function scorer() { throw new Error("later") }', allowed: THREW },
  { name: 'rejection nobody handles', tries: 'to end the process', source: body('Promise.reject(new Error("lost")); return 1'), allowed: RETURNED, value: 1 },
  { name: 'rejection at load', tries: 'to end the process', source: `Promise.reject(new Error("lost")); ${body('return 1')}`, allowed: ['returned', 'threw'], value: 1 },
  { name: 'async generator', tries: 'to return a stream', source: 'async function* scorer() { yield 1 }', allowed: THREW },
  { name: 'finalizers', tries: 'to run when memory is swept', source: body('return new FinalizationRegistry(() => { for (;;); }).register({}, 1)'), allowed: THREW },
  { name: 'waiting for memory', tries: 'to stop the thread', source: body('return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'), allowed: THREW },
  { name: 'top-level await for ever', tries: 'to load without end', source: 'await new Promise(() => {}); export default () => 1;', allowed: REFUSED },
  { name: 'top-level await in a flood', tries: 'to hang while it is loaded', source: 'for (;;) await null; export default () => 1;', allowed: TIME },
  { name: 'promise of a promise', tries: 'to return an outcome that waits', source: 'async function scorer() { return [Promise.resolve(1)] }', allowed: THREW },
];

/** By what they go for. */
export const HOSTILE_PROGRAMS: Readonly<Record<string, readonly HostileProgram[]>> = {
  'source text': SOURCE_TEXT,
  CPU,
  memory: MEMORY_USE,
  'the host': HOST,
  'tampering with the kernel': TAMPERING,
  output: OUTPUT,
  throwing: THROWING,
  'promises and timers': ASYNC,
};
