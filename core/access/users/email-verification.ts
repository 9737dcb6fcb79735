import { z } from 'zod';
import { cleanText } from '../../kernel/text.ts';
import { Email } from './user.ts';

export const VerificationRequest = z.object({ email: Email }).meta({ id: 'VerificationRequest' });
export type VerificationRequest = z.output<typeof VerificationRequest>;

export const VerificationProof = z.object({ code: cleanText(1, 1024) }).meta({ id: 'VerificationProof' });
export type VerificationProof = z.output<typeof VerificationProof>;

export const VerifiedEmail = z.object({ message: z.string(), email_is_verified: z.literal(true) }).meta({ id: 'VerifiedEmail' });
export type VerifiedEmail = z.output<typeof VerifiedEmail>;
