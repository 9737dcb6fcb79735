import { z } from 'zod';
import { VerificationProof, VerificationRequest, VerifiedEmail } from '../../../core/access/users/email-verification.ts';
import type { EmailVerificationService } from '../../../core/access/users/email-verification-service.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { parseBearer } from '../bearer.ts';
import { type Route, route } from '../route.ts';

const VerificationToken = z
  .object({ access_token: z.string(), token_type: z.literal('bearer') })
  .meta({ id: 'VerificationToken' });
const MAX_BODY_BYTES = 16_384;

export const emailRoutes = (services: { emailVerificationService: EmailVerificationService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/verify_email',
    operationId: 'verifyEmail',
    errors: [429],
    summary: 'Get a token that is good for confirming this address and nothing else, and a code by mail if it needs confirming.',
    tag: 'access',
    auth: 'none',
    maxBodyBytes: MAX_BODY_BYTES,
    body: VerificationRequest,
    response: VerificationToken,
    handle: async ({ origin, headers, body }) => ({
      access_token: await services.emailVerificationService.begin(origin, body.email, parseBearer(headers)),
      token_type: 'bearer' as const,
    }),
  }),
  route({
    method: 'post',
    path: '/v2/verify_email/complete',
    operationId: 'completeEmailVerification',
    errors: [401, 429],
    summary: 'Confirm an address by the mailed code, with the token that verify_email answered as bearer.',
    tag: 'access',
    auth: 'none',
    maxBodyBytes: MAX_BODY_BYTES,
    body: VerificationProof,
    response: VerifiedEmail,
    handle: ({ origin, headers, body }) =>
      services.emailVerificationService.complete(origin, body.code, required(parseBearer(headers))),
  }),
];

function required(token: string | undefined): string {
  if (token !== undefined) return token;
  throw new AppError('unauthenticated', 'credentials_missing', 'the token of the verification is missing');
}
