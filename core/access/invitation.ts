import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import { cleanText, Id } from '../kernel/text.ts';
import { UserRole } from './role.ts';
import { AUTH_METHODS, Email, Password, UserView } from './users/user.ts';

/** `auth_method` says how they will log in: only those who come by `email` have to prove their address. */
export const NewInvitation = z
  .object({
    auth_method: withDefault(z.enum(AUTH_METHODS), 'email'),
    emails: z.array(Email).min(1).max(100),
    role: withDefault(UserRole, 'user'),
    group_ids: withDefault(z.array(Id).max(20), []),
  })
  .meta({ id: 'NewInvitation' });
export type NewInvitation = z.output<typeof NewInvitation>;

export const Invitation = z.object({ message: z.string(), users: z.array(UserView) }).meta({ id: 'Invitation' });
export type Invitation = z.output<typeof Invitation>;

export const SignupLink = z.object({ signup_link: z.string(), expires_at: z.string() }).meta({ id: 'SignupLink' });
export type SignupLink = z.output<typeof SignupLink>;

/** The code is that of a sign-up link. Absent names stay as they are. */
export const Signup = z
  .object({
    code: cleanText(1, 1024),
    password: Password,
    first_name: cleanText(0, 255).nullish(),
    last_name: cleanText(0, 255).nullish(),
  })
  .meta({ id: 'Signup' });
export type Signup = z.output<typeof Signup>;

export const SignedUp = z.object({ message: z.string(), email: z.string() }).meta({ id: 'SignedUp' });
export type SignedUp = z.output<typeof SignedUp>;
