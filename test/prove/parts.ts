export interface Part {
  readonly name: string;
  /** Promise of the part, in words for readers of the page. */
  readonly promises: string;
  readonly project: 'unit' | 'postgres' | 'system';
  readonly files: readonly string[];
  /** Settings of the tests, in full and with `--quick`. */
  readonly full?: Readonly<Record<string, string>>;
  readonly quick?: Readonly<Record<string, string>>;
}

/** Each promise is held by tests; a part runs them at the length that is worth a figure. */
export const PARTS: readonly Part[] = [
  {
    name: 'crash',
    promises: 'P1 to P4, P8: nothing acknowledged is lost, batches are whole, records are there once, scores are written once',
    project: 'system',
    files: ['test/system/crash.test.ts'],
    full: { ROUNDS: '30' },
    quick: { ROUNDS: '3' },
  },
  {
    name: 'durability',
    promises: 'P2b: a server that may forget what it has acknowledged is not used without a warning',
    project: 'unit',
    files: ['adapters/postgres/database/migrate.test.ts', 'adapters/embedded-postgres/server-settings.test.ts'],
  },
  {
    name: 'outage',
    promises: 'P9: connections that end, a database that stops, a network that swallows everything',
    project: 'system',
    files: ['test/system/outage.test.ts', 'test/system/black-hole.test.ts'],
    full: { OUTAGE_MS: '30000' },
    quick: { OUTAGE_MS: '5000' },
  },
  {
    name: 'clocks',
    promises: 'P11: wrong clocks do no harm',
    project: 'system',
    files: ['test/system/clocks.test.ts'],
  },
  {
    name: 'disk',
    promises: 'P13: a full disk is said, and nothing is lost or half-written by it',
    project: 'system',
    files: ['test/system/full-disk.test.ts'],
    full: { FULL_FOR_MS: '30000' },
    quick: { FULL_FOR_MS: '5000' },
  },
  {
    name: 'start',
    promises: 'P10: several instances that start at once, orderly ends, kills of server and database together',
    project: 'system',
    files: ['test/system/boot.test.ts', 'test/system/start-refusals.test.ts', 'test/system/embedded-postgres.test.ts'],
  },
  {
    name: 'instances',
    promises: 'two that serve and two that work, killed one after the other under load: nothing is lost, nothing is scored twice',
    project: 'system',
    files: ['test/system/instances.test.ts'],
    full: { INSTANCE_KILLS: '12' },
    quick: { INSTANCE_KILLS: '2' },
  },
  {
    name: 'stop',
    promises: 'P7: an end under load breaks nothing off',
    project: 'system',
    files: ['test/system/graceful-stop.test.ts'],
    full: { STOP_ROUNDS: '20' },
    quick: { STOP_ROUNDS: '4' },
  },
  {
    name: 'overload',
    promises: 'P5: overload is refused and not absorbed',
    project: 'system',
    files: ['test/system/overload.test.ts'],
    full: { OVERLOAD_SECONDS: '60' },
    quick: { OVERLOAD_SECONDS: '8' },
  },
  {
    name: 'bodies',
    promises: 'P6: large bodies cannot exhaust the memory',
    project: 'system',
    files: ['test/system/large-bodies.test.ts'],
    full: { SENDERS: '200' },
    quick: { SENDERS: '50' },
  },
  {
    name: 'backup',
    promises: 'a backup of a running service restores with every row',
    project: 'system',
    files: ['test/system/backup.test.ts'],
  },
  {
    name: 'fuzz',
    promises: 'no input leads to a 5xx, to an answer that is not described, or to a change by what was refused',
    project: 'postgres',
    files: ['test/postgres/fuzz.test.ts', 'test/postgres/fuzz-controls.test.ts'],
    full: { FUZZ_SECONDS: '1200' },
    quick: { FUZZ_SECONDS: '30' },
  },
  {
    name: 'amplification',
    promises:
      'no response takes more than 1 s of processor time or 250 ms without a turn for others, whatever is sent and stored within the bounds',
    project: 'postgres',
    files: ['test/postgres/amplification.test.ts', 'test/postgres/amplification-controls.test.ts'],
    full: { AMPLIFICATION: 'full' },
  },
  {
    name: 'fidelity',
    promises: 'what is accepted is what is read back',
    project: 'postgres',
    files: ['test/postgres/contracts/trace-contracts.test.ts', 'test/postgres/datasets/dataset-versions.property.test.ts'],
  },
  {
    name: 'access',
    promises: 'every operation, asked by everyone about everything, answers as the rules say',
    project: 'unit',
    files: ['test/access'],
  },
  {
    name: 'sandbox',
    promises: 'P12: hostile programs do not reach the server, and do not stop the next one',
    project: 'unit',
    files: ['adapters/sandbox'],
  },
  {
    name: 'kills',
    promises: 'P14: processes of scorers that are killed at work lose no score and make none twice',
    project: 'postgres',
    files: ['test/postgres/scorers/sandbox-kills.test.ts'],
    full: { SANDBOX_KILLS: '20' },
    quick: { SANDBOX_KILLS: '3' },
  },
  {
    name: 'secrets',
    promises: 'no password, key, token or credential is in an answer, a log line or a table',
    project: 'postgres',
    files: ['test/postgres/secrets.test.ts', 'test/postgres/integrations/integration-secrets.test.ts'],
  },
  {
    name: 'packages',
    promises: 'versions are exact, locked by content, and install scripts approved by name',
    project: 'unit',
    files: ['test/packages.test.ts'],
  },
];
