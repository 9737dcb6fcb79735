import type { z } from '../../core/plugin-sdk/index.ts';
import { underVitest } from '../under-vitest.ts';
import { type NotificationChannelCase, notificationChannelChecks } from './notification-channel-checks.ts';

/** Checks of every notification-channel plugin; a plugin's own test calls it in one line. */
export function notificationChannelKit<S extends z.ZodType>(given: NotificationChannelCase<S>): void {
  underVitest(notificationChannelChecks(given));
}
