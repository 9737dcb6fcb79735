import { PinoLog } from '../../adapters/log/pino-log.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { PostgresIntegrationStore } from '../../adapters/postgres/integrations/postgres-integration-store.ts';
import { PostgresAlertStore } from '../../adapters/postgres/trends/postgres-alert-store.ts';
import { PostgresNotificationRouteStore } from '../../adapters/postgres/trends/postgres-notification-route-store.ts';
import { AesSecretBox } from '../../adapters/security/aes-secret-box.ts';
import type { Config } from '../../config/env.ts';
import { makeDataDir } from '../../config/keys/credentials.ts';
import { SecretKeys } from '../../config/keys/secret-keys.ts';
import { ShutdownSequence } from '../../config/process/shutdown-sequence.ts';
import { openServer } from '../../config/storage/database.ts';
import { SecretRotation } from '../../core/integrations/secret-rotation.ts';

/** Gives stored secrets, those of integrations and webhooks, another key, and returns how many integrations there are: a new one in the data folder, or the SECRETS_KEY that is set. */
export async function rotateSecrets(config: Config): Promise<number> {
  await makeDataDir(config.dataDir);
  const log = new PinoLog(config.logLevel);
  const shutdown = new ShutdownSequence(log);
  try {
    const server = await openServer(config, log);
    shutdown.add(() => server.stop());
    const orm = await openOrm({ url: server.url, poolSize: 1 });
    shutdown.add(() => orm.close(true));
    const session = new PostgresSession({ orm });
    const sealedStores = [
      new PostgresIntegrationStore({ session }),
      new PostgresAlertStore({ session }),
      new PostgresNotificationRouteStore({ session }),
    ];
    const keys = new SecretKeys(config);
    const rotationBy = () => new SecretRotation({ sealedStores, secretBox: new AesSecretBox(() => keys.read()) });
    // With what is there first: a key that nothing can be read by must not become the newest.
    await rotationBy().verify();
    if (config.secretsKey === undefined) keys.add();
    const rotation = rotationBy();
    const done = await rotation.rewrapAll();
    const inUse = await rotation.keysInUse();
    keys.prune((key) => inUse.includes(new AesSecretBox(() => [key]).currentKeyId));
    return done;
  } finally {
    await shutdown.run();
  }
}

export const describeRotatedSecrets = (integrations: number, { secretsKey }: Pick<Config, 'secretsKey'>): string =>
  `the secrets of ${integrations} integrations were wrapped by the newest key` +
  (secretsKey === undefined ? '' : '\nSECRETS_OLD_KEYS may be emptied once every service has the new SECRETS_KEY');
