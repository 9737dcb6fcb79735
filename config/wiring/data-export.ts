import { dataExportRoutes } from '../../adapters/http/data-export/data-export-routes.ts';
import { readParquetFile } from '../../adapters/parquet/read-parquet-file.ts';
import { ZstdParquetFile } from '../../adapters/parquet/zstd-parquet-file.ts';
import { DataExportService } from '../../core/data-export/data-export-service.ts';
import { Exporter } from '../../core/data-export/exporter.ts';
import type { OpenParquetFile, ReadParquetFile } from '../../core/data-export/parquet-file.ts';
import type { BackgroundWork } from '../process/background-loop.ts';
import { capability, singleton, value } from './registration.ts';

/** How long a project waits to be looked at, beyond the interval. */
const IDLE_MS = 1_000;
/** So that a project with much to export does not hold up the others. */
const EXPORTERS = 2;

const exporting = ({ exporter }: { exporter: Exporter }): BackgroundWork => ({
  name: 'export records, scores and ratings',
  work: () => exporter.advance(),
  idleDelayMs: IDLE_MS,
});

export const dataExport = capability({
  services: {
    openParquetFile: value<OpenParquetFile>((columns) => new ZstdParquetFile(columns)),
    readParquetFile: value<ReadParquetFile>(readParquetFile),
    exporter: singleton(Exporter),
    dataExportService: singleton(DataExportService),
  },
  routes: [dataExportRoutes],
  background: Array.from({ length: EXPORTERS }, () => exporting),
});
