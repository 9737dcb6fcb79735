import { generateKeyPairSync } from 'node:crypto';
import { vertexAi } from './index.ts';

/** Of nobody: made anew each time. */
export const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const account = {
  type: 'service_account',
  project_id: 'judges-1',
  client_email: 'canary@judges-1.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

/** The case that the kit tries the plugin with. */
export const vertexAiKit = {
  plugin: vertexAi,
  settings: { token: JSON.stringify(account) },
  folder: import.meta.dirname,
  model: 'gemini-2.5-flash',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 8, output_tokens: 12, reasoning_tokens: 4 },
    finish_reason: 'stop',
    model: 'gemini-2.5-flash',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  unpriced: ['gemini-2.0-flash-001'],
  offered: [
    {
      name: 'gemini-2.0-flash-001',
      for_scorers: true,
      input_modalities: ['text', 'image', 'audio'],
      files: {
        media_types: [
          'image/png',
          'image/jpeg',
          'image/gif',
          'image/webp',
          'audio/wav',
          'audio/mpeg',
          'application/pdf',
          'video/mp4',
          'video/webm',
        ],
      },
    },
    {
      name: 'gemini-2.5-flash',
      for_scorers: true,
      input_modalities: ['text', 'image', 'audio'],
      files: {
        media_types: [
          'image/png',
          'image/jpeg',
          'image/gif',
          'image/webp',
          'audio/wav',
          'audio/mpeg',
          'application/pdf',
          'video/mp4',
          'video/webm',
        ],
      },
    },
    {
      name: 'gemini-2.5-flash-lite',
      for_scorers: true,
      input_modalities: ['text', 'image', 'audio'],
      files: {
        media_types: [
          'image/png',
          'image/jpeg',
          'image/gif',
          'image/webp',
          'audio/wav',
          'audio/mpeg',
          'application/pdf',
          'video/mp4',
          'video/webm',
        ],
      },
    },
    {
      name: 'gemini-2.5-pro',
      for_scorers: true,
      input_modalities: ['text', 'image', 'audio'],
      files: {
        media_types: [
          'image/png',
          'image/jpeg',
          'image/gif',
          'image/webp',
          'audio/wav',
          'audio/mpeg',
          'application/pdf',
          'video/mp4',
          'video/webm',
        ],
      },
    },
    {
      name: 'gemini-3-pro-preview',
      for_scorers: true,
      input_modalities: ['text', 'image', 'audio'],
      files: {
        media_types: [
          'image/png',
          'image/jpeg',
          'image/gif',
          'image/webp',
          'audio/wav',
          'audio/mpeg',
          'application/pdf',
          'video/mp4',
          'video/webm',
        ],
      },
    },
  ],
  publicParts: [account.project_id],
} as const;
