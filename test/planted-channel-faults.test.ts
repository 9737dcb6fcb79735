import { describe, expect, it } from 'vitest';
import { notificationChannelChecks } from '../plugin-kit/channels/notification-channel-checks.ts';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { channelFaults, wholeChannels } from './plugin-kit/channel-faults.ts';

describe('the kit of notification channels', () => {
  it.each(wholeChannels.map((given, number) => ({ given, number })))(
    'finds nothing wrong with whole channel $number',
    async ({ given }) => {
      const results = await runChecks(notificationChannelChecks(given));
      expect(results.filter(({ failure }) => failure !== undefined)).toEqual([]);
    },
  );

  it('is tried with at least 30 mistakes, each named once', () => {
    expect(channelFaults.length).toBeGreaterThanOrEqual(30);
    expect(new Set(channelFaults.map(({ what }) => what)).size).toBe(channelFaults.length);
  });

  it.each(channelFaults)('finds, by "$found", a channel that $what', async ({ found, make }) => {
    const list = notificationChannelChecks(make());
    const checks = list.checks.filter(({ name }) => name === found);
    expect(checks).toHaveLength(1);
    const [result] = await runChecks({ ...list, checks });
    expect(result?.failure).toEqual(expect.any(String));
  });
});
