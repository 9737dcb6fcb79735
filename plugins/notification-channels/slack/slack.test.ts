import { notificationChannelKit } from '../../../plugin-kit/notification-channel.kit.ts';
import { slackKit } from './kit.ts';

notificationChannelKit(slackKit);
