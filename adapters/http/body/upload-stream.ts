import type { IncomingMessage } from 'node:http';
import type { FileSource } from '../../../core/datasets/files/file-source.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { FairBudget } from '../../../core/kernel/fairness/fair-budget.ts';
import type { Sender } from './body-reader.ts';
import { checkMultipart, type MultipartBody, readMultipart } from './multipart.ts';
import type { SlowBodies } from './slow-body.ts';
import { SpooledFile } from './spooled-file.ts';

/** For a large file on a slow line. */
const UPLOAD_MS = 15 * 60_000;
/** A network may be many people: three quarters of all, where one user is let have half. */
const NETWORK_WEIGHT = 3;

/** A file of a multipart body, held on disk. `filename` is what the sender called it: for display only. */
export interface StreamedUpload {
  readonly filename: string;
  readonly content_type: string;
  readonly file: FileSource;
  /** The file outlives the request from here on: whoever keeps it has to close it. */
  keep(): { close(): Promise<void> };
}

export interface StreamedBody {
  readonly fields: Readonly<Record<string, string | string[]>>;
  readonly upload: StreamedUpload | undefined;
  /** Closes the file, unless somebody keeps it. */
  release(): Promise<void>;
}

export interface UploadSettings {
  readonly folder: string;
  /** Uploads that may be under way at once, each user and network with a fair share of them; more are refused with 503. */
  readonly maxAtOnce: number;
}

/** Takes in multipart bodies with a large file, which goes to disk no faster than the disk takes it. */
export class StreamedUploads {
  readonly #folder: string;
  readonly #slowBodies: SlowBodies;
  readonly #underWay: FairBudget;

  constructor({ folder, maxAtOnce }: UploadSettings, slowBodies: SlowBodies) {
    this.#folder = folder;
    this.#slowBodies = slowBodies;
    this.#underWay = new FairBudget(maxAtOnce);
  }

  /** Text parts and at most one part `file`, in any order. Whatever is wrong with the body is refused as 4xx. */
  async read(req: IncomingMessage, maxFileBytes: number, { user_id, network }: Sender): Promise<StreamedBody> {
    checkMultipart(req, maxFileBytes);
    const place = this.#underWay.open([
      { name: `user ${user_id}`, weight: 1 },
      { name: `network ${network}`, weight: NETWORK_WEIGHT },
    ]);
    if (!place.grow(1)) {
      throw new AppError('unavailable', 'overloaded', 'too many files are being uploaded', { retryAfterSeconds: 5 });
    }
    const stop = new AbortController();
    const spool = () => SpooledFile.create(this.#folder);
    try {
      return asStreamed(
        await this.#slowBodies.during(req, stop, UPLOAD_MS, () => readMultipart(req, maxFileBytes, spool, stop.signal)),
      );
    } finally {
      place.release();
    }
  }
}

function asStreamed({ fields, file }: MultipartBody<SpooledFile>): StreamedBody {
  if (!file) return { fields, upload: undefined, release: async () => {} };
  const { filename, content_type, sink } = file;
  let kept = false;
  const keep = () => {
    kept = true;
    return sink;
  };
  return {
    fields,
    upload: { filename, content_type, file: sink, keep },
    release: async () => void (kept || (await sink.close())),
  };
}
