import { z } from 'zod';

/** Where a browser gets an id token of a configured provider: OpenID Connect's implicit flow (Core 1.0 §3.2). */
export const SocialSignIn = z
  .object({
    provider: z.string(),
    client_id: z.string(),
    authorization_endpoint: z.url(),
  })
  .meta({ id: 'SocialSignIn' });
export type SocialSignIn = z.output<typeof SocialSignIn>;

export interface SocialDirectory {
  /** The providers that a browser can be sent to now; one that cannot be reached is left out. Does not reject. */
  list(): Promise<SocialSignIn[]>;
}
