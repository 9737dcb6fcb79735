import { AUDIT_USAGE, describeAudit, runAudit, toAuditQuestion, toExitCode } from './audit-client.ts';

/** For pipelines: ends with 0 when the judge of a version shows no bias, with 1 when it does, with 2 when that is not known. */
try {
  const question = toAuditQuestion(process.argv.slice(2), process.env);
  const { audit } = await runAudit(question, (line) => process.stderr.write(`${line}\n`));
  if (audit) {
    process.stdout.write(`${describeAudit(audit)}\n`);
    process.exitCode = toExitCode(audit);
  }
} catch (error) {
  process.stderr.write(
    `the judge could not be audited: ${error instanceof Error ? error.message : String(error)}\n${AUDIT_USAGE}`,
  );
  process.exitCode = 2;
}
