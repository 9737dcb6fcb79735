import { AppError } from './errors.ts';

export interface Deletion<Failed> {
  readonly ids: readonly string[];
  /** Name of the deleted objects, in the plural. */
  readonly called: string;
  remove(id: string): Promise<unknown>;
  failed(id: string, reason: AppError): Failed | Promise<Failed>;
}

export interface Deleted<Failed> {
  readonly deleted_count: number;
  readonly failed_deletions: Failed[];
  readonly message: string;
}

/** Deletes each by itself: those that cannot be deleted do not keep the others. Anything but an AppError is passed on. */
export async function deleteEach<Failed>({ ids, called, remove, failed }: Deletion<Failed>): Promise<Deleted<Failed>> {
  const failed_deletions: Failed[] = [];
  const distinct = [...new Set(ids)];
  for (const id of distinct) {
    const reason = await remove(id).then(() => undefined, getReason);
    if (reason) failed_deletions.push(await failed(id, reason));
  }
  const deleted_count = distinct.length - failed_deletions.length;
  return { deleted_count, failed_deletions, message: `${deleted_count} of ${distinct.length} ${called} were deleted` };
}

function getReason(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
