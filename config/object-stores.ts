import { resolve } from 'node:path';
import { FolderObjectStore } from '../adapters/object-storage/folder-object-store.ts';
import { S3ObjectStore } from '../adapters/object-storage/s3-object-store.ts';
import type { ObjectStore } from '../core/object-storage/object-store.ts';
import type { Config } from './env.ts';

/** Opens a store by its location: a folder, or `s3://bucket/prefix`. */
export function openObjectStore(
  location: string,
  { endpoint, region, accessKeyId = '', secretAccessKey = '', sessionToken }: Config['exportBucket'],
): ObjectStore {
  const [, bucket, path = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(location) ?? [];
  if (bucket === undefined) return new FolderObjectStore(resolve(location));
  return new S3ObjectStore({
    ...{ endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`, region, bucket, accessKeyId, secretAccessKey, sessionToken },
    prefix: path === '' ? '' : `${path}/`,
  });
}
