import { notificationChannelKit } from '../../../plugin-kit/channels/notification-channel.kit.ts';
import { pagerdutyKit } from './kit.ts';

notificationChannelKit(pagerdutyKit);
