import { z } from 'zod';
import { Invitation, NewInvitation, SignedUp, Signup, SignupLink } from '../../../core/access/invitation.ts';
import type { InvitationService } from '../../../core/access/invitation-service.ts';
import { Email } from '../../../core/access/users/user.ts';
import { type Route, route } from '../route.ts';

const MAX_BODY_BYTES = 65_536;

export const invitationRoutes = ({ invitationService }: { invitationService: InvitationService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/invite_users',
    operationId: 'inviteUsers',
    summary: 'Make an account for each address that has none, and add all of them to groups.',
    tag: 'users',
    maxBodyBytes: MAX_BODY_BYTES,
    body: NewInvitation,
    response: Invitation,
    handle: ({ caller, body }) => invitationService.invite(caller, body),
  }),
  route({
    method: 'post',
    path: '/v2/signup_link',
    operationId: 'createSignupLink',
    errors: [404, 409],
    summary: 'An address where an invited user sets their first password; good once, for a week.',
    tag: 'users',
    query: z.object({ user_email: Email }),
    response: SignupLink,
    handle: ({ caller, query, res: { req } }) =>
      invitationService.signupLink(caller, query.user_email, `${req.protocol}://${req.get('host')}`),
  }),
  route({
    method: 'post',
    path: '/v2/signup',
    operationId: 'signUp',
    errors: [401, 429],
    summary: 'Set the first password of an account, by the code of a sign-up link.',
    tag: 'access',
    auth: 'none',
    maxBodyBytes: MAX_BODY_BYTES,
    body: Signup,
    response: SignedUp,
    handle: ({ origin, body }) => invitationService.signUp(origin, body),
  }),
];
