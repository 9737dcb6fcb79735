import { fileRoutes } from '../../adapters/http/files/file-routes.ts';
import { FileRemoval } from '../../core/files/file-removal.ts';
import { FileService } from '../../core/files/file-service.ts';
import { SignedFileUrls } from '../../core/files/file-urls.ts';
import { capability, singleton } from './registration.ts';

export const files = capability({
  services: {
    fileService: singleton(FileService),
    fileRemoval: singleton(FileRemoval),
    fileUrls: singleton(SignedFileUrls),
  },
  routes: [fileRoutes],
  background: [
    ({ fileRemoval }: { fileRemoval: FileRemoval }) => ({
      name: 'remove files that no record names any more',
      work: async () => (await fileRemoval.run()).more,
      idleDelayMs: 30_000,
    }),
  ],
});
