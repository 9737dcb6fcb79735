import { getChecks } from './cases-of-module.ts';
import type { CheckList } from './check.ts';
import type { ChildMessage, ChildTask } from './check-messages.ts';
import { failureIn } from './run-checks.ts';

/** Kept before a plugin is loaded: one may replace it. */
const send = process.send?.bind(process);
const { specifier, from, limitMs } = JSON.parse(process.argv[2] ?? '{}') as ChildTask;

/** Error outside of any promise that a check waits for. */
let stray: string | undefined;
const noteStray = (what: string) => (error: unknown) => {
  stray ??= `${what}: ${error instanceof Error ? error.message : String(error)}`;
};
process.on('uncaughtException', noteStray('threw in a timer or an event handler'));
process.on('unhandledRejection', noteStray('left a promise rejected'));

// Nobody is left to tell anything when the process that watches has ended.
process.on('disconnect', () => process.exit());

const tell = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => {
    if (send) send(message, () => resolve());
    else resolve();
  });

async function run(): Promise<void> {
  const lists = await getChecks(specifier);
  await tell({ kind: 'lists', lists: lists.map(({ title, checks }) => ({ title, names: checks.map(({ name }) => name) })) });
  let number = 0;
  for (const list of lists) {
    if (number + list.checks.length > from) await runList(list, from - number);
    number += list.checks.length;
  }
  await tell({ kind: 'done' });
}

async function runList({ checks, open, reset, close }: CheckList, from: number): Promise<void> {
  await open();
  for (const check of checks.slice(Math.max(0, from))) {
    reset();
    stray = undefined;
    const { failure, isLate } = await failureIn(check, limitMs);
    // An error that a check left behind is thrown at the latest when the event loop comes round.
    await new Promise((resolve) => setTimeout(resolve, 1));
    await tell({ kind: 'verdict', failure: failure ?? stray, isLate });
  }
  await close();
}

/** Tries the plugins of one module for `check-process.ts`. Run by it alone. */
await run().catch((error: unknown) => tell({ kind: 'refused', message: error instanceof Error ? error.message : String(error) }));
process.disconnect();
