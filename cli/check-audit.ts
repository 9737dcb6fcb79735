import { readStoredConfig } from '../config/env.ts';
import { verifyAuditLog } from './stored/verify-audit-log.ts';

/** Reads the whole audit log, of a service that runs or of one that does not, and says whether it holds together; ends with 1 when it does not. */
try {
  const report = await verifyAuditLog(readStoredConfig(process.env));
  console.log(`${report.entries} lines, last hash ${report.head}`);
  if (report.broken_at !== null) {
    console.error(`the audit log is broken: line ${report.broken_at} does not follow on the one before it`);
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`the audit log cannot be checked: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
