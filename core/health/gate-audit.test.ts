import { describe, expect, it } from 'vitest';
import { allProbes, storedAudit } from '../../test/fixtures/health/stored-audit.ts';
import type { StoredAudit } from './bias/judge-audit.ts';
import { PROBES, type Probe } from './bias/probe.ts';
import { withAudit } from './gate-audit.ts';
import type { GateVerdict } from './gate-verdict.ts';

const NOW = new Date('2026-03-01T00:00:00.000Z');
const DAY = '2026-02-20';
const side = { scorer_version_id: 'v2', scorer_version_number: 2, health_score: null };
const passed: GateVerdict = {
  ...{ passed: true, reason: 'within_margin', message: 'equal', scorer_id: 's', dataset_id: 'd' },
  ...{ health_score_type: 'macro_f1', margin: 0, shortfall: 0, candidate: side, default: null, audit: null },
};
const fair = storedAudit(allProbes('not_shown'), DAY);
const judge = (audits: StoredAudit[], probes: readonly Probe[] = PROBES) =>
  withAudit(passed, audits, { max_days: 30, probes: [...probes] }, NOW);

describe('a gate that asks for an audit', () => {
  it('lets a version by that has a recent one without a finding', () => {
    const { id, finished_at } = fair;
    expect(judge([fair])).toEqual({ ...passed, audit: { id, finished_at, found: [] } });
  });

  it.each<[GateVerdict['reason'], StoredAudit[]]>([
    ['audit_missing', []],
    ['audit_missing', [{ ...fair, status: 'failed', report: null }]],
    ['audit_missing', [storedAudit({ position: 'not_shown' }, DAY)]],
    ['bias_found', [storedAudit({ ...allProbes('not_shown'), language: 'biased' }, DAY)]],
    ['bias_found', [storedAudit({ ...allProbes('not_shown'), language: 'biased' }, DAY), fair]],
    ['audit_inconclusive', [storedAudit({ ...allProbes('not_shown'), language: 'not_enough_data' }, DAY)]],
    ['audit_outdated', [storedAudit(allProbes('not_shown'), '2026-01-20')]],
  ])('refuses by %s', (reason, audits) => {
    expect(judge(audits)).toMatchObject({ passed: false, reason });
  });

  it('looks at the probes that it names alone', () => {
    const some = storedAudit({ position: 'not_shown', language: 'biased' }, DAY);
    expect(judge([some], ['position']).passed).toBe(true);
    expect(judge([some], ['language'])).toMatchObject({ reason: 'bias_found', message: 'its audit found bias: language' });
    expect(judge([storedAudit({ language: 'not_shown' }, DAY), some], ['position']).audit!.id).toBe(some.id);
  });
});
