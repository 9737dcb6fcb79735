import type { StoredAudit } from './bias/judge-audit.ts';
import type { GateReason, GateVerdict } from './gate-verdict.ts';
import type { AuditTerms } from './scorer-gate.ts';

const DAY_MS = 86_400_000;

/**
 * The verdict of a gate that needs an audit without a finding: that on the health, unless the audit refuses the version. The newest completed
 * audit with all probes that are needed counts. `audits` are newest first.
 */
export function withAudit(
  verdict: GateVerdict,
  audits: readonly StoredAudit[],
  { max_days, probes }: AuditTerms,
  now: Date,
): GateVerdict {
  const found = audits.find(({ report }) => report && probes.every((probe) => report.probes.some((one) => one.probe === probe)));
  if (!found?.report || found.finished_at === null)
    return refused(verdict, 'audit_missing', `it has no audit for bias with ${probes.join(', ')}`);
  const { id, finished_at, report } = found;
  const own = { ...verdict, audit: { id, finished_at, found: report.found } };
  const days = Math.floor((now.getTime() - Date.parse(finished_at)) / DAY_MS);
  const ofVerdict = (wanted: string) =>
    report.probes.filter(({ probe, verdict: one }) => one === wanted && probes.includes(probe)).map(({ probe }) => probe);
  const [biased, unknown] = [ofVerdict('biased'), ofVerdict('not_enough_data')];
  if (biased.length > 0) return refused(own, 'bias_found', `its audit found bias: ${biased.join(', ')}`);
  if (unknown.length > 0) return refused(own, 'audit_inconclusive', `its audit has not enough data for ${unknown.join(', ')}`);
  return days >= max_days ? refused(own, 'audit_outdated', `its audit is ${days} days old`) : own;
}

const refused = (verdict: GateVerdict, reason: GateReason, message: string): GateVerdict => ({
  ...verdict,
  ...{ passed: false, reason, message },
});
