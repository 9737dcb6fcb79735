import { z } from 'zod';

/** Where a browser signs in at a configured provider. */
export const SocialSignIn = z
  .object({
    provider: z.string(),
    client_id: z.string(),
    authorization_endpoint: z.url(),
    flow: z
      .enum(['code', 'implicit'])
      .describe(
        'How: by `POST /login/social/authorize`, or for an id token by the implicit flow of OpenID Connect (Core 1.0 §3.2).',
      ),
  })
  .meta({ id: 'SocialSignIn' });
export type SocialSignIn = z.output<typeof SocialSignIn>;

export interface SocialDirectory {
  /** The providers that a browser can be sent to now; one that cannot be reached is left out. Does not reject. */
  list(): Promise<SocialSignIn[]>;
}
