import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { AppError } from '../../../core/kernel/errors.ts';

/** Turns a breach of a unique constraint into the error the port promises; anything else passes through. */
export async function refusingDuplicates<T>(code: string, message: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new AppError('conflict', code, message, { cause: error });
    throw error;
  }
}
