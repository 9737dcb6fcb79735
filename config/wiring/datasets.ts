import { StreamingRowFileReader } from '../../adapters/files/streaming-row-file-reader.ts';
import { collaboratorRoutesOf } from '../../adapters/http/access/collaborator-routes.ts';
import { datasetContentRoutes } from '../../adapters/http/datasets/dataset-content-routes.ts';
import { datasetExtensionRoutes } from '../../adapters/http/datasets/dataset-extension-routes.ts';
import { datasetFileRoutes } from '../../adapters/http/datasets/dataset-file-routes.ts';
import { datasetRoutes } from '../../adapters/http/datasets/dataset-routes.ts';
import { datasetRuleRoutes } from '../../adapters/http/datasets/dataset-rule-routes.ts';
import { datasetVersionRoutes } from '../../adapters/http/datasets/dataset-version-routes.ts';
import { recordCopyRoutes } from '../../adapters/http/datasets/record-copy-routes.ts';
import { BLOCK_SIZE } from '../../core/datasets/block.ts';
import { DatasetContentService } from '../../core/datasets/dataset-content-service.ts';
import { DatasetCreationService } from '../../core/datasets/dataset-creation-service.ts';
import { DatasetDiffService } from '../../core/datasets/dataset-diff-service.ts';
import { DatasetEditService } from '../../core/datasets/dataset-edit-service.ts';
import { DatasetFileService } from '../../core/datasets/dataset-file-service.ts';
import { DatasetImportService } from '../../core/datasets/dataset-import-service.ts';
import { DatasetService } from '../../core/datasets/dataset-service.ts';
import { DatasetExtensionService } from '../../core/datasets/extension/dataset-extension-service.ts';
import { SyntheticRowsJob } from '../../core/datasets/extension/synthetic-rows-job.ts';
import { RecordCopyJob } from '../../core/datasets/records/record-copy-job.ts';
import { RecordCopyService } from '../../core/datasets/records/record-copy-service.ts';
import { RecordRowWriter } from '../../core/datasets/records/record-row-writer.ts';
import { SessionRows } from '../../core/datasets/records/session-rows.ts';
import { DatasetRuleRunner } from '../../core/datasets/rules/dataset-rule-runner.ts';
import { DatasetRuleService } from '../../core/datasets/rules/dataset-rule-service.ts';
import { capability, singleton, value } from './registration.ts';

const HOUR_MS = 60 * 60_000;

export const datasets = capability({
  services: {
    datasetBlockSize: value(BLOCK_SIZE),
    rowFileReader: singleton(StreamingRowFileReader),
    datasetCreationService: singleton(DatasetCreationService),
    datasetService: singleton(DatasetService),
    datasetContentService: singleton(DatasetContentService),
    datasetEditService: singleton(DatasetEditService),
    datasetDiffService: singleton(DatasetDiffService),
    datasetExtensionService: singleton(DatasetExtensionService),
    datasetImportService: singleton(DatasetImportService),
    datasetFileService: singleton(DatasetFileService),
    sessionRows: singleton(SessionRows),
    recordRowWriter: singleton(RecordRowWriter),
    recordCopyService: singleton(RecordCopyService),
    datasetRuleService: singleton(DatasetRuleService),
    datasetRuleRunner: singleton(DatasetRuleRunner),
  },
  routes: [
    datasetRoutes,
    datasetFileRoutes,
    datasetExtensionRoutes,
    datasetContentRoutes,
    datasetVersionRoutes,
    recordCopyRoutes,
    datasetRuleRoutes,
    collaboratorRoutesOf('dataset'),
  ],
  jobs: [singleton(SyntheticRowsJob), singleton(RecordCopyJob)],
  background: [
    ({ datasetImportService }: { datasetImportService: DatasetImportService }) => ({
      name: 'tidy up after imports',
      work: async () => {
        await datasetImportService.tidy();
        return false;
      },
      idleDelayMs: HOUR_MS,
      everywhere: true,
    }),
    ({ datasetRuleRunner }: { datasetRuleRunner: DatasetRuleRunner }) => ({
      name: 'fill datasets by rules',
      work: (signal: AbortSignal) => datasetRuleRunner.run(signal),
      idleDelayMs: 5_000,
    }),
  ],
});
