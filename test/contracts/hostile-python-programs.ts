// biome-ignore-all format: this is a table, one program to a line
import type { HostileProgram } from './hostile-programs.ts';

type Kinds = HostileProgram['allowed'];
const RETURNED: Kinds = ['returned'];
const THREW: Kinds = ['threw'];
const REFUSED: Kinds = ['refused'];
const TIME: Kinds = ['timed_out'];
const STOPPED: Kinds = ['timed_out', 'out_of_memory', 'threw'];
/** Ends the call by a sealed function, which the process does not outlive, or by an exception. */
const CUT_OFF: Kinds = ['threw', 'refused', 'timed_out', 'out_of_memory'];
const ANY_END: Kinds = ['returned', 'threw', 'timed_out', 'out_of_memory'];

/** A scorer with this body, behind these lines. */
const body = (statements: string, ...before: string[]): string =>
  [...before, 'def scorer(record):', ...statements.split('\n').map((line) => `    ${line}`)].join('\n');

const SOURCE_TEXT: readonly HostileProgram[] = [
  { name: 'empty text', tries: 'nothing at all', source: '# nothing', allowed: REFUSED },
  { name: 'open bracket', tries: 'text that is no program', source: 'def scorer(record:\n    return 1', allowed: REFUSED },
  { name: 'other name', tries: 'to define no scorer', source: 'def judge(record):\n    return 1', allowed: REFUSED },
  { name: 'scorer is a number', tries: 'to be called when it cannot be', source: 'scorer = 5', allowed: REFUSED },
  { name: 'two classes', tries: 'to confuse which one runs', source: 'class A:\n    def score(self, record): return 1\nclass B:\n    def score(self, record): return 2', allowed: REFUSED },
  { name: 'byte order mark', tries: 'a first character that is no code', source: `\uFEFF${body('return 2')}`, allowed: ['returned', 'refused'], value: 2 },
  { name: 'carriage returns', tries: 'other line ends', source: 'def scorer(r):\r\n    return 3\r\n', allowed: RETURNED, value: 3 },
  { name: 'other encoding', tries: 'a declaration of bytes that are not there', source: `# -*- coding: utf-7 -*-\n${body('return 4')}`, allowed: ['returned', 'refused'], value: 4 },
  { name: 'tabs and blanks', tries: 'indentation that means two things', source: 'def scorer(r):\n\tif 1:\n        return 1\n', allowed: REFUSED },
  { name: 'nested brackets', tries: 'to overflow the parser', source: `x = ${'('.repeat(5_000)}1${')'.repeat(5_000)}\n${body('return 1')}`, allowed: ['refused', 'threw'] },
  { name: 'nested lists', tries: 'to overflow the compiler', source: `x = ${'-'.repeat(50_000)}1\n${body('return 1')}`, allowed: CUT_OFF },
  { name: 'too large', tries: 'to fill the store', source: `${body('return 1')}\n#${'x'.repeat(300_000)}`, allowed: REFUSED },
  { name: 'NUL character', tries: 'to end the text early', source: `${body('return 1')} # \0`, allowed: REFUSED },
  { name: 'mark of records', tries: 'the character between records', source: body('return "\u001d"'), allowed: RETURNED, value: '\u001d' },
  { name: 'name of the module', tries: 'to run as a script', source: 'if __name__ == "__main__":\n    raise SystemExit(1)\ndef scorer(r): return 5', allowed: RETURNED, value: 5 },
];

const CPU: readonly HostileProgram[] = [
  { name: 'loop at load', tries: 'to hang before it is called', source: 'while True: pass', allowed: TIME },
  { name: 'loop in call', tries: 'to hang', source: body('while True: pass'), allowed: TIME },
  { name: 'loop that catches', tries: 'to survive its end', source: body('while True:\n    try:\n        while True: pass\n    except BaseException: pass'), allowed: TIME },
  { name: 'backtracking', tries: 'to hang inside a regular expression', source: body('return bool(re.match("(a+)+$", "a" * 60 + "!"))', 'import re'), allowed: TIME },
  { name: 'huge integer', tries: 'arithmetic that is not interrupted', source: body('return len(str(7 ** 7_000_000))'), allowed: ANY_END },
  { name: 'tower of powers', tries: 'one operation without end', source: body('return 9 ** 9 ** 9'), allowed: STOPPED },
  { name: 'endless generator', tries: 'to hang in a built-in', source: body('return sum(1 for _ in iter(int, 1))'), allowed: TIME },
  { name: 'comparison that hangs', tries: 'to hang inside sort', source: body('class A:\n    def __lt__(self, other):\n        while True: pass\nreturn len(sorted([A(), A()]))'), allowed: TIME },
  { name: 'finalizer that hangs', tries: 'to hang while memory is swept', source: body('class A:\n    def __del__(self):\n        while True: pass\nA()\nreturn 1'), allowed: TIME },
  { name: 'float that hangs', tries: 'to hang while the value is read', source: body('class A:\n    @property\n    def score(self):\n        while True: pass\nreturn A()'), allowed: TIME },
  { name: 'message that hangs', tries: 'to hang while the error is described', source: body('class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E()'), allowed: TIME },
  { name: 'signature that hangs', tries: 'to hang while it is called', source: 'class S:\n    def __call__(self, record): return 1\n    @property\n    def __signature__(self):\n        while True: pass\nscorer = S()', allowed: TIME },
  { name: 'coroutine that hangs', tries: 'to hang in a loop of events', source: 'import asyncio\nasync def scorer(record):\n    while True: await asyncio.sleep(0)', allowed: TIME },
];

const MEMORY_USE: readonly HostileProgram[] = [
  { name: 'growing list', tries: 'to fill the memory', source: body('keep = []\nwhile True: keep.append(bytearray(1_000_000))'), allowed: STOPPED },
  { name: 'doubled text', tries: 'a text without end', source: body('s = "x"\nwhile True: s += s'), allowed: STOPPED },
  { name: 'one huge list', tries: 'to take it all at once', source: body('return len([0] * 10 ** 9)'), allowed: STOPPED },
  { name: 'flood while caught', tries: 'to survive the end of memory', source: body('keep = []\nwhile True:\n    try: keep.append("x" * 10 ** 7)\n    except MemoryError: keep = keep[:-3]'), allowed: STOPPED },
  { name: 'nested containers', tries: 'to overflow the stack when freed', source: body('a = []\nfor _ in range(400_000): a = [a]\ndel a\nreturn 1'), allowed: ANY_END, value: 1 },
  { name: 'format width', tries: 'a text that is all blanks', source: body('return len("%1000000000d" % 1)'), allowed: STOPPED },
  { name: 'inflated bytes', tries: 'a small text that becomes a large one', source: body('return len(zlib.decompress(zlib.compress(b"x" * 10 ** 7) ) * 100)', 'import zlib'), allowed: STOPPED },
];

const RECURSION: readonly HostileProgram[] = [
  { name: 'endless recursion', tries: 'to overflow the stack', source: body('return scorer(record) + 1'), allowed: THREW },
  { name: 'recursion without limit', tries: 'to overflow the stack below', source: body('sys.setrecursionlimit(10 ** 9)\nreturn scorer(record) + 1', 'import sys'), allowed: STOPPED },
  { name: 'recursion in repr', tries: 'to overflow the stack in C', source: body('a = []\nfor _ in range(100_000): a = [a]\nreturn repr(a)'), allowed: CUT_OFF },
  { name: 'recursion in JSON', tries: 'to overflow the stack in C', source: body('a = []\nfor _ in range(100_000): a = [a]\nreturn json.dumps(a)', 'import json'), allowed: CUT_OFF },
  { name: 'recursion in getattr', tries: 'to overflow by attributes', source: body('class A:\n    def __getattr__(self, name): return getattr(self, name + "x")\nreturn A().a'), allowed: CUT_OFF },
];

const READS: readonly (readonly [string, string])[] = [
  ['a file of the machine', 'return open("/etc/passwd").read()'],
  ['the list of processes', 'return open("/proc/self/environ").read()'],
  ['a folder', 'import os\nreturn sorted(set(os.listdir("/")) - {"dev", "home", "lib", "proc", "tmp"})'],
  ['the environment', 'import os\nreturn os.environ.get("TOUCHSTONE_CANARY", "")'],
  ['the user', 'import os\nreturn os.getlogin()'],
];

const HOST: readonly HostileProgram[] = [
  ...READS.map(([name, statements]): HostileProgram => ({ name, tries: 'to read what is outside', source: body(statements), allowed: ['returned', 'threw'], ...(/return sorted/.test(statements) ? { value: [] } : /get\(/.test(statements) ? { value: '' } : {}) })),
  ...['open("/tmp/x", "w")', 'os.mkdir("/tmp/y")', 'os.remove("/lib/python314.zip")', 'os.symlink("/", "/tmp/z")', 'os.rename("/tmp", "/t")', 'os.chmod("/", 0)', 'os.truncate("/lib/python314.zip", 0)', 'os.utime("/lib", (0, 0))', 'os.mknod("/tmp/n")', 'os.chdir("/tmp")', 'os.pipe()', 'open("/lib/python314.zip", "ab")', 'tempfile.mkdtemp()'].map((call): HostileProgram => ({ name: call, tries: 'to change a file', source: body(`${call}\nreturn 1`, 'import os, tempfile'), allowed: CUT_OFF })),
  ...['socket.create_connection(("127.0.0.1", 80))', 'socket.getaddrinfo("example.com", 80)', 'socket.socket().bind(("", 80))', 'os.fork()', 'os.execv("/bin/sh", ["sh"])', 'os.kill(1, 9)', 'subprocess.run(["id"])', 'threading.Thread(target=print).start()', 'multiprocessing.Process(target=print).start()'].map((call): HostileProgram => ({ name: call, tries: 'to reach the network or another process', source: body(`${call}\nreturn 1`, `import ${call.split('.')[0]}`), allowed: CUT_OFF })),
  { name: 'copy of a descriptor', tries: 'to keep a file beyond its end', source: body('return os.dup(1) < 100', 'import os'), allowed: ANY_END, value: true },
  { name: 'mapped memory', tries: 'memory that no limit counts', source: body('keep = [mmap.mmap(-1, 10 ** 7) for _ in range(100)]\nreturn 1', 'import mmap'), allowed: STOPPED },
  { name: 'system', tries: 'to run a command', source: body('return os.system("id > /tmp/x")', 'import os'), allowed: ['returned', 'threw'] },
  { name: 'exit', tries: 'to end the process', source: body('sys.exit(1)', 'import sys'), allowed: THREW },
  { name: 'exit at once', tries: 'to end the process', source: body('os._exit(0)', 'import os'), allowed: CUT_OFF },
  { name: 'abort', tries: 'to end the process', source: body('os.abort()', 'import os'), allowed: CUT_OFF },
  { name: 'crash', tries: 'to break the interpreter', source: body('faulthandler._sigsegv()', 'import faulthandler'), allowed: ANY_END },
  { name: 'signal', tries: 'to call a handler', source: body('signal.signal(15, lambda *a: None)\nsignal.raise_signal(15)\nreturn 1', 'import signal'), allowed: ANY_END },
  { name: 'alarm', tries: 'to come back later', source: body('signal.setitimer(signal.ITIMER_REAL, 0.001)\nreturn 1', 'import signal'), allowed: ANY_END },
];

const BRIDGE: readonly HostileProgram[] = [
  ...['js', 'pyodide_js', 'pyodide', 'pyodide.code', 'pyodide.ffi', 'pyodide.http', '_pyodide', '_pyodide._base', '_pyodide_core', 'micropip', 'ctypes', '_ctypes'].map((name): HostileProgram => ({ name: `import ${name}`, tries: 'to reach JavaScript', source: `import ${name}\n${body('return 1')}`, allowed: THREW })),
  { name: 'js again', tries: 'to import what was taken away', source: body('sys.modules.pop("js", None)\nimport js\nreturn str(js.globalThis)', 'import sys'), allowed: CUT_OFF },
  { name: 'pyodide again', tries: 'to import what was taken away', source: body('for name in list(sys.modules):\n    if sys.modules[name] is None: del sys.modules[name]\nfrom pyodide.code import run_js\nreturn run_js("typeof process")', 'import sys'), allowed: CUT_OFF },
  { name: 'evaluator of pyodide', tries: 'the way out that others found', source: body('for name in list(sys.modules):\n    if sys.modules[name] is None: del sys.modules[name]\nimport _pyodide\nreturn str(_pyodide._base.eval_code("import js; js.process"))', 'import sys'), allowed: CUT_OFF },
  { name: 'ctypes again', tries: 'to call functions of the interpreter', source: body('for name in list(sys.modules):\n    if sys.modules[name] is None: del sys.modules[name]\nimport ctypes\nreturn ctypes.CDLL(None).emscripten_run_script_int(b"1+1")', 'import sys'), allowed: CUT_OFF },
  { name: 'memory by ctypes', tries: 'to write where it likes', source: body('for name in list(sys.modules):\n    if sys.modules[name] is None: del sys.modules[name]\nimport ctypes\nctypes.memset(0, 65, 10 ** 6)\nreturn 1', 'import sys'), allowed: ANY_END },
  { name: 'built-in module', tries: 'to make the bridge anew', source: body('return str(_imp.create_builtin(ModuleSpec("_pyodide_core", BuiltinImporter)).__dict__.keys())', 'import _imp', 'from importlib.machinery import BuiltinImporter, ModuleSpec'), allowed: ANY_END },
  { name: 'proxies by the collector', tries: 'objects that were left behind', source: body('found = [one for one in gc.get_objects() if type(one).__name__.startswith("Js")]\nreturn [str(one.constructor("return process")()) for one in found]', 'import gc'), allowed: ['returned', 'threw'], value: [] },
  { name: 'proxies by subclasses', tries: 'classes that were left behind', source: body('found = [one for one in object.__subclasses__() if one.__name__ == "JsProxy"]\nreturn [str(one.new) for one in found]'), allowed: ['returned', 'threw'] },
  { name: 'referrers', tries: 'the modules that were taken away', source: body('kept = sys.modules["harness"].kept\nreturn [str(one.globalThis) for one in kept]', 'import sys'), allowed: CUT_OFF },
  { name: 'run_js by the harness', tries: 'the modules that were taken away', source: body('kept = sys.modules["harness"].kept\nreturn [str(one.run_js("typeof process")) for one in kept if hasattr(one, "run_js")]', 'import sys'), allowed: ANY_END },
  { name: 'subclasses of object', tries: 'the way to os through classes', source: body('found = [one for one in ().__class__.__base__.__subclasses__() if one.__name__ == "_wrap_close"]\nreturn [one.__init__.__globals__["system"]("id") for one in found]'), allowed: ['returned', 'threw'] },
  { name: 'open by pickle', tries: 'to call by a pickle', source: body('return str(pickle.loads(b"cos\\nsystem\\n(S\'id\'\\ntR."))', 'import pickle'), allowed: ANY_END },
  { name: 'forged code', tries: 'to read past the frame', source: body('code = (lambda: 1).__code__.replace(co_code=bytes([100, 255] * 50), co_stacksize=1)\nreturn str(type(code)())'), allowed: ANY_END },
  { name: 'forged code that runs', tries: 'to break the interpreter', source: body('f = lambda: 1\nf.__code__ = f.__code__.replace(co_code=bytes([116, 255] * 500))\nreturn str(f())'), allowed: ANY_END },
  { name: 'audit hook', tries: 'to watch the next scorer', source: body('sys.addaudithook(lambda *a: None)\nreturn 1', 'import sys'), allowed: RETURNED, value: 1 },
  { name: 'trace function', tries: 'to run in the harness', source: body('sys.settrace(lambda *a: 1 / 0)\nsys.setprofile(lambda *a: 1 / 0)\nreturn 1', 'import sys'), allowed: ['returned', 'threw'] },
];

const POISON: readonly HostileProgram[] = [
  ...['json.loads = lambda *a, **k: {}', 'json.dumps = None', 'builtins.len = lambda *a: 7', 'builtins.isinstance = lambda *a: True', 'builtins.__import__ = None', 'builtins.str = int', 'math.isfinite = lambda *a: False', 'sys.modules.clear()', 'sys.stdout = None', 'sys.path.clear()', 'gc.disable()', 'random.seed(1)', 'sys.meta_path.clear()', 'sys.setrecursionlimit(60)', 're.compile = None', 'types.ModuleType.__init__ = None'].map((call): HostileProgram => ({ name: call, tries: 'to poison the next scorer', source: body(`try:\n    ${call}\nexcept TypeError: pass\nreturn 1`, 'import builtins, gc, json, math, random, re, sys, types'), allowed: ['returned', 'threw'] })),
  ...['score', 'score_one', 'accept', 'write_primitive', 'load', 'read', 'call', 'limits', 'describe'].map((name): HostileProgram => ({ name: `harness.${name}`, tries: 'to take the place of the harness', source: body(`sys.modules["harness"].${name} = lambda *a, **k: '{"kind":"returned","value":666}'\nreturn 1`, 'import sys'), allowed: ANY_END })),
  { name: 'frames', tries: 'to change who called it', source: body('frame = sys._getframe()\nwhile frame.f_back: frame = frame.f_back\nframe.f_globals.clear()\nreturn 1', 'import sys'), allowed: ANY_END },
  { name: 'own outcome', tries: 'to write outcomes of its own', source: body('sys.modules["harness"].score_one = None\nlimits = sys.modules["harness"].limits\nlimits["value_chars"] = 10 ** 9\nreturn "x" * 10 ** 7', 'import sys'), allowed: CUT_OFF },
  { name: 'thread state', tries: 'to leave a loop of events behind', source: body('loop = asyncio.new_event_loop()\nasyncio.set_event_loop(loop)\nloop.call_soon(print, 1)\nreturn 1', 'import asyncio'), allowed: RETURNED, value: 1 },
  { name: 'open files', tries: 'to use up the file descriptors', source: body('keep = [open("/lib/python314.zip", "rb") for _ in range(200)]\nsys.keep = keep\nreturn len(keep)', 'import sys'), allowed: RETURNED, value: 200 },
];

const OUTPUT: readonly HostileProgram[] = [
  ...['None', 'float("nan")', 'float("-inf")', '1j', 'b"x"', 'object()', '[[1]]', '[None]', '{"a": 1}', '{1: True}', 'scorer', '"x" * 200_000', '[0] * 100_000', '10 ** 400', '...'].map((value): HostileProgram => ({ name: value, tries: 'to return what cannot be kept', source: body(`return ${value}`), allowed: THREW })),
  { name: 'lone surrogate', tries: 'text that cannot be stored', source: body('return "\\ud800"'), allowed: RETURNED, value: '\uFFFD' },
  { name: 'flood of prints', tries: 'to fill the store', source: body('for _ in range(20_000): print("x" * 100)\nreturn 1'), allowed: ['returned', 'timed_out'], value: 1 },
  { name: 'huge message', tries: 'to fill the store', source: body('raise ValueError("x" * 10 ** 6)'), allowed: THREW },
  { name: 'message that fails', tries: 'to fail while the error is described', source: body('class E(Exception):\n    def __str__(self): raise E()\nraise E()'), allowed: THREW },
  { name: 'class that lies', tries: 'to be taken for a number', source: body('class A:\n    __class__ = int\nreturn A()'), allowed: CUT_OFF },
  { name: 'number that lies', tries: 'to write what it likes', source: body('class A(int):\n    def __repr__(self): return "}]"\nreturn A(3)'), allowed: RETURNED, value: 3 },
  { name: 'text that lies', tries: 'to be longer than it says', source: body('class A(str):\n    def __len__(self): return 1\nreturn A("x" * 200_000)'), allowed: THREW },
  { name: 'future for ever', tries: 'to wait without end', source: 'import asyncio\nasync def scorer(record):\n    await asyncio.Future()', allowed: THREW },
  { name: 'awaitable that lies', tries: 'to be awaited for ever', source: 'class A:\n    def __await__(self):\n        while True: yield\ndef scorer(record): return A()', allowed: STOPPED },
];

/** Every program runs against every adapter of the sandbox that runs Python. */
export const HOSTILE_PYTHON_PROGRAMS: Readonly<Record<string, readonly HostileProgram[]>> = {
  'source text': SOURCE_TEXT,
  'processor time': CPU,
  memory: MEMORY_USE,
  recursion: RECURSION,
  'what is outside': HOST,
  'ways to JavaScript': BRIDGE,
  'the next scorer': POISON,
  'what leaves': OUTPUT,
};
