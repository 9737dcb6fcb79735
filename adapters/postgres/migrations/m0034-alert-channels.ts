import { Migration } from '@mikro-orm/migrations';

/** An alert names its channel: what had a `webhook_url` is told by the channel `webhook`. */
export class AlertChannels extends Migration {
  override name = 'm0034-alert-channels';

  override up(): void {
    this.addSql(`update "alerts" set "settings" = ("settings" - 'webhook_url') || case
      when "settings" ->> 'webhook_url' is null then '{"channel": null, "channel_settings": {}}'::jsonb
      else jsonb_build_object('channel', 'webhook', 'channel_settings', jsonb_build_object('url', "settings" -> 'webhook_url'))
    end;`);
  }
}
