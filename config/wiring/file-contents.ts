import { S3ObjectStore } from '../../adapters/object-storage/s3-object-store.ts';
import type { FileContents } from '../../core/files/file-store.ts';
import { ObjectFileContents } from '../../core/files/object-file-contents.ts';
import { twoFileContents } from '../../core/files/two-file-contents.ts';
import type { Adapters, Registrations } from '../cradle.ts';
import type { Config } from '../env.ts';
import type { Given } from '../given.ts';

/** The stores, with the content of files where the configuration has it. What was put into the other store before stays readable. */
export function withFileContents(
  adapters: Registrations<Adapters>,
  { kind, s3 }: Pick<Config['fileStore'], 'kind' | 's3'>,
): Registrations<Adapters> {
  if (!s3) return adapters;
  const own = adapters.fileContents;
  const bucket = new ObjectFileContents(new S3ObjectStore(s3));
  const inBoth = (database: FileContents) =>
    kind === 's3' ? twoFileContents(bucket, database) : twoFileContents(database, bucket);
  return {
    ...adapters,
    fileContents: { ...own, lifetime: 'SINGLETON', resolve: (container) => inBoth(own.resolve(container)) },
  };
}

/** Clients may know the bucket by another name than the service does. */
export const toFileUrlSigning = ({ s3, publicEndpoint, urlSeconds }: Config['fileStore']): Given['fileUrlSigning'] =>
  s3 && urlSeconds > 0
    ? { signer: new S3ObjectStore({ ...s3, endpoint: publicEndpoint ?? s3.endpoint }), seconds: urlSeconds }
    : undefined;
