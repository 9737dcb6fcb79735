import type { ModelMessage } from '../plugin-sdk/index.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { QuestionMessage } from './model-call.ts';

/** In one process: each of them holds its files, and the request that is made of them. */
export const MAX_CALLS_WITH_FILES = 4;

/** Messages with the bytes of their files, until they are released. */
export interface OpenMessages {
  readonly messages: readonly ModelMessage[];
  release(): void;
}

/** Reads the files of questions for calls of models. Few calls at a time hold any; owners have their turns. */
export class CallsWithFiles {
  readonly #limiter: ConcurrencyLimiter;

  constructor(max = MAX_CALLS_WITH_FILES) {
    this.#limiter = new ConcurrencyLimiter(max);
  }

  /** At once where no message has a file. Rejects with the signal's reason, or with what reading a file rejects with. */
  async open(messages: readonly QuestionMessage[], owner: string, signal: AbortSignal): Promise<OpenMessages> {
    if (!messages.some(({ files }) => files)) return { messages: messages as readonly ModelMessage[], release: () => {} };
    const release = await this.#hold(owner, signal);
    try {
      const read: ModelMessage[] = [];
      for (const message of messages) read.push(await withBytes(message));
      return { messages: read, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #hold(owner: string, signal: AbortSignal): Promise<() => void> {
    const admitted = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#limiter
      .run(owner, signal, () => {
        admitted.resolve();
        return released.promise;
      })
      .catch(admitted.reject);
    await admitted.promise;
    return released.resolve;
  }
}

async function withBytes({ files, ...message }: QuestionMessage): Promise<ModelMessage> {
  if (!files) return message;
  const read: { media_type: string; bytes: Uint8Array }[] = [];
  for (const file of files) read.push({ media_type: file.media_type, bytes: await file.read() });
  return { ...message, files: read };
}
