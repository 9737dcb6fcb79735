import { describe, expect, it } from 'vitest';
import { detailsText, parseInstant, parseLocalTime, toAuditQuery } from './audit-query.ts';

describe('the audit log in the address bar', () => {
  it('asks for what it knows and leaves out what is empty or somebody else’s', () => {
    const view = new URLSearchParams('action=user.create&actor_id=&from=2026-01-02T03:04:00Z&page=3');
    expect(toAuditQuery(view)).toEqual({ action: 'user.create', from: '2026-01-02T03:04:00Z' });
  });

  it('shows an instant in local time and takes it back', () => {
    const instant = '2026-07-02T03:04:00.000Z';
    expect(parseInstant(parseLocalTime(instant))).toBe(instant);
    expect(parseLocalTime(null)).toBe('');
    expect(parseLocalTime('no time')).toBe('');
    expect(parseInstant('')).toBeUndefined();
  });

  it('tells details by name', () => {
    expect(detailsText({ role: 'user', project_id: null, is_new: true })).toBe('role=user, project_id=–, is_new=true');
  });
});
