import { type ChildProcess, fork } from 'node:child_process';
import type { ChildMessage, ChildTask, NamedList } from './check-messages.ts';
import { CHECK_LIMIT_MS, type CheckResult } from './run-checks.ts';

export interface CheckedPlugin {
  readonly title: string;
  readonly verdicts: readonly CheckResult[];
}

/** After so many checks that did not end the rest is not tried: each takes its whole limit. */
const MAX_LOST = 3;
/** Loading takes longer than any check: vendors' packages are large. */
const LOAD_LIMITS = 6;
const SELF = import.meta.filename;

/** Result of one child: how many checks it finished, and why it went no further. */
interface ChildEnd {
  readonly lists: readonly NamedList[] | undefined;
  readonly verdicts: readonly { readonly failure: string | undefined }[];
  /** Undefined when it came to the end of its checks. */
  readonly lost: string | undefined;
  readonly isOver: boolean;
}

/**
 * Tries the plugins of a module in a child process, whose deadline is kept here: a plugin that ends the process, keeps it busy or
 * never comes to an end fails the check that was running, and a fresh child goes on after it. Rejects when the module cannot be tried.
 */
export async function checkApart(specifier: string, limitMs = CHECK_LIMIT_MS): Promise<CheckedPlugin[]> {
  const failures: (string | undefined)[] = [];
  let lists: readonly NamedList[] | undefined;
  for (let lost = 0; ; ) {
    const end = await runChild({ specifier, from: failures.length, limitMs });
    lists ??= end.lists;
    if (!lists) throw new Error(`plugin module "${specifier}" cannot be tried: while it was loaded it ${end.lost}`);
    failures.push(...end.verdicts.map(({ failure }) => failure));
    if (end.isOver) break;
    if (end.lost !== undefined) failures.push(end.lost);
    lost += 1;
    if (failures.length >= computeCount(lists)) break;
    if (lost >= MAX_LOST) {
      const rest = computeCount(lists) - failures.length;
      failures.push(...Array.from({ length: rest }, () => `was not tried: ${MAX_LOST} checks before it did not end`));
      break;
    }
  }
  return lists.map(({ title, names }) => ({ title, verdicts: names.map((name) => ({ name, failure: failures.shift() })) }));
}

const computeCount = (lists: readonly NamedList[]): number => lists.reduce((sum, { names }) => sum + names.length, 0);

async function runChild(task: ChildTask): Promise<ChildEnd> {
  const child = fork(SELF.replace(/check-process(\.[jt]s)$/, 'check-child$1'), [JSON.stringify(task)], {
    execArgv: [],
    // Output of a plugin is no part of the report.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    return await watched(child, task);
  } finally {
    child.kill('SIGKILL');
  }
}

function watched(child: ChildProcess, { specifier, limitMs }: ChildTask): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    const verdicts: { failure: string | undefined }[] = [];
    let lists: readonly NamedList[] | undefined;
    let patience: NodeJS.Timeout;
    const end = (lost: string | undefined, isOver = false) => {
      clearTimeout(patience);
      resolve({ lists, verdicts, lost, isOver });
    };
    const wait = (ms: number, what: string) => {
      clearTimeout(patience);
      patience = setTimeout(() => end(`${what} more than ${ms / 1000} s`), ms);
    };
    wait(limitMs * LOAD_LIMITS, 'took');
    child.on('message', (message: ChildMessage) => {
      if (message.kind === 'refused') {
        clearTimeout(patience);
        reject(new Error(message.message));
      } else if (message.kind === 'done') end(undefined, true);
      else {
        // The child has a limit of its own; what is watched here is one that cannot keep it.
        wait(limitMs * 2, 'kept the process busy for');
        if (message.kind === 'lists') lists = message.lists;
        else verdicts.push({ failure: message.failure });
        // A check that did not end in time may go on behind the next ones.
        if (message.kind === 'verdict' && message.isLate) end(undefined);
      }
    });
    child.on('error', (error) => {
      clearTimeout(patience);
      reject(new Error(`plugin module "${specifier}" cannot be tried: ${error.message}`));
    });
    child.on('exit', (code, signal) => end(`ended the process, with ${signal ?? `code ${code}`}`));
  });
}
