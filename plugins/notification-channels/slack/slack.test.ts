import { notificationChannelKit } from '../../../plugin-kit/channels/notification-channel.kit.ts';
import { slackKit } from './kit.ts';

notificationChannelKit(slackKit);
