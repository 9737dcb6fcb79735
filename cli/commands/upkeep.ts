import type { Command } from 'commander';
import { type Config, readStoredConfig } from '../../config/env.ts';
import { migrateSchema } from '../stored/migrate-schema.ts';
import { describeRotatedSecrets, rotateSecrets } from '../stored/rotate-secrets.ts';
import { describeRotatedTokenSecret, rotateTokenSecret } from '../stored/rotate-token-secret.ts';
import { verifyAuditLog } from '../stored/verify-audit-log.ts';
import { EXIT } from './command-error.ts';
import type { FileCommandTools } from './files.ts';

interface Done {
  readonly result: object;
  readonly text: string;
  /** A fault was found. */
  readonly isBad?: boolean;
}

const UPKEEP: readonly (readonly [name: string, description: string, run: (config: Config) => Promise<Done>])[] = [
  ['migrate', 'bring the schema up to date before a new version starts', migrate],
  ['rotate-keys', 'sign access tokens by a new secret from the next start on', rotateKeys],
  ['rotate-secrets', 'encrypt stored secrets by a new key', rotateStoredSecrets],
  ['check-audit', 'read the whole audit log and say whether it holds together; ends with 1 when it does not', checkAudit],
];

/** Commands about the installation here that operators run now and then. */
export function addUpkeep(program: Command, { terminal, say, setExitCode }: FileCommandTools): void {
  for (const [name, description, run] of UPKEEP)
    program
      .command(name)
      .description(description)
      .action(async (_, command: Command) => {
        const { result, text, isBad = false } = await run(readStoredConfig(terminal.env));
        say(command.optsWithGlobals(), result, text);
        setExitCode(isBad ? EXIT.negative : EXIT.done);
      });
}

async function migrate(config: Config): Promise<Done> {
  await migrateSchema(config);
  return { result: { up_to_date: true }, text: 'the schema is up to date' };
}

async function rotateKeys(config: Config): Promise<Done> {
  const result = await rotateTokenSecret(config);
  return { result, text: describeRotatedTokenSecret(result) };
}

async function rotateStoredSecrets(config: Config): Promise<Done> {
  const integrations = await rotateSecrets(config);
  return { result: { integrations }, text: describeRotatedSecrets(integrations, config) };
}

async function checkAudit(config: Config): Promise<Done> {
  const result = await verifyAuditLog(config);
  const { entries, head, broken_at } = result;
  const broken = `the audit log is broken: line ${broken_at} does not follow on the one before it`;
  return { result, text: broken_at === null ? `${entries} lines, last hash ${head}` : broken, isBad: broken_at !== null };
}
