import { PinoLog } from '../adapters/log/pino-log.ts';
import { openOrm } from '../adapters/postgres/orm.ts';
import { PostgresAuditStore } from '../adapters/postgres/postgres-audit-store.ts';
import { PostgresSession } from '../adapters/postgres/postgres-session.ts';
import { NodeSecrets } from '../adapters/security/node-secrets.ts';
import { AuditTrail, type ChainReport } from '../core/access/audit-trail.ts';
import { openServer } from './database.ts';
import { readConfig } from './env.ts';
import { Stopping } from './stopping.ts';

/** Reads the whole audit log and says whether it holds together; ends with 1 when it does not. */
try {
  const report = await check();
  console.log(`${report.entries} lines, last hash ${report.head}`);
  if (report.broken_at !== null) {
    console.error(`the audit log is broken: line ${report.broken_at} does not follow on the one before it`);
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`the audit log cannot be checked: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function check(): Promise<ChainReport> {
  const config = readConfig(process.env);
  const stopping = new Stopping(new PinoLog(config.logLevel));
  try {
    const server = await openServer(config, new PinoLog(config.logLevel));
    stopping.add(() => server.stop());
    const orm = await openOrm({ url: server.url, poolSize: 1 });
    stopping.add(() => orm.close(true));
    const auditStore = new PostgresAuditStore({ session: new PostgresSession({ orm }) });
    return await new AuditTrail({ auditStore, secrets: new NodeSecrets(), clock: () => new Date() }).verify();
  } finally {
    await stopping.run();
  }
}
