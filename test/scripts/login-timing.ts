import { randomInt, randomUUID } from 'node:crypto';
import { DEFAULT_LOGIN_LIMITS } from '../../core/access/login/login-limiter.ts';
import type { User } from '../../core/access/users/user.ts';
import { startTestServer } from '../http/harness.ts';
import { plainUser } from '../setup/plain-user.ts';

/**
 * Whether time tells which users exist: refused logins of four kinds, in random order, over a real socket. Ends with 1
 * when the slowest kind's median is more than a tenth above the fastest's. Run with `node test/scripts/login-timing.ts`.
 */
const ATTEMPTS_EACH = 200;
const WARM_UP = 40;
const MAX_DIFFERENCE = 0.1;

const PASSWORD = 'the right password';
const print = (line: string): void => void process.stdout.write(`${line}\n`);

// All attempts come from one address; the limiter counts and looks as ever, it only never refuses.
const loginLimits = { ...DEFAULT_LOGIN_LIMITS, account_free: 1e6, address_free: 1e6 };
const server = await startTestServer({ loginLimits });

const [known, disabled, unverified] = await Promise.all([
  user({}),
  user({ is_disabled: true }),
  user({ email_is_verified: false }),
]);
const kinds = [
  { kind: 'unknown user', email: `${randomUUID()}@example.org`, password: PASSWORD },
  { kind: 'wrong password', email: known.email, password: 'the wrong password' },
  { kind: 'disabled user', email: disabled.email, password: PASSWORD },
  { kind: 'unverified user', email: unverified.email, password: PASSWORD },
];

for (let i = 0; i < WARM_UP; i += 1) await attempt(kinds[i % kinds.length]!);
const times = new Map(kinds.map(({ kind }) => [kind, [] as number[]]));
// One of each kind a round, so that what else the machine does meets all of them.
for (let round = 0; round < ATTEMPTS_EACH; round += 1) {
  for (const one of shuffled(kinds)) times.get(one.kind)!.push(await attempt(one));
}
await server.close();

const medians = [...times].map(([kind, all]) => ({ kind, median: computeMedian(all) }));
for (const { kind, median } of medians) print(`${kind.padEnd(16)} ${median.toFixed(2)} ms`);
const values = medians.map(({ median }) => median);
const difference = Math.max(...values) / Math.min(...values) - 1;
print(`largest difference ${(difference * 100).toFixed(1)} % (allowed ${MAX_DIFFERENCE * 100} %)`);
process.exitCode = difference > MAX_DIFFERENCE ? 1 : 0;

async function attempt({ email, password }: { email: string; password: string }): Promise<number> {
  const started = performance.now();
  const reply = await fetch(`${server.url}/login`, { method: 'POST', body: new URLSearchParams({ username: email, password }) });
  await reply.text();
  const took = performance.now() - started;
  if (reply.status !== 401) throw new Error(`a login that should be refused answered ${reply.status}`);
  return took;
}

async function user(facts: Partial<User>): Promise<User> {
  const made = plainUser({ password_hash: await server.cradle.passwordHasher.hash(PASSWORD), ...facts });
  await server.cradle.accessStore.insertUser(made);
  return made;
}

function shuffled<T>(items: readonly T[]): T[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}

function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}
