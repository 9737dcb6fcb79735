import { findRunningServer } from '../../adapters/embedded-postgres/running-server.ts';
import { PinoLog } from '../../adapters/log/pino-log.ts';
import { PostgresAuditStore } from '../../adapters/postgres/access/postgres-audit-store.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { NodeSecrets } from '../../adapters/security/node-secrets.ts';
import type { Config } from '../../config/env.ts';
import { ShutdownSequence } from '../../config/process/shutdown-sequence.ts';
import { openServer } from '../../config/storage/database.ts';
import { AuditTrail, type ChainReport } from '../../core/access/audit/audit-trail.ts';

/** Reads the whole audit log, of a service that runs or of one that does not, and says whether it holds together. */
export async function verifyAuditLog(config: Config): Promise<ChainReport> {
  const shutdown = new ShutdownSequence(new PinoLog(config.logLevel));
  try {
    let url = config.databaseUrl ?? (await findRunningServer(config.dataDir));
    if (url === undefined) {
      const server = await openServer(config, new PinoLog(config.logLevel));
      shutdown.add(() => server.stop());
      url = server.url;
    }
    const orm = await openOrm({ url, poolSize: 1 });
    shutdown.add(() => orm.close(true));
    const auditStore = new PostgresAuditStore({ session: new PostgresSession({ orm }) });
    return await new AuditTrail({ auditStore, secrets: new NodeSecrets(), clock: () => new Date() }).verify();
  } finally {
    await shutdown.run();
  }
}
