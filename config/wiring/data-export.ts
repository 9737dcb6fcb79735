import { dataExportRoutes } from '../../adapters/http/data-export/data-export-routes.ts';
import { ZstdParquetFile } from '../../adapters/parquet/zstd-parquet-file.ts';
import { DataExportService } from '../../core/data-export/data-export-service.ts';
import { Exporter } from '../../core/data-export/exporter.ts';
import type { OpenParquetFile } from '../../core/data-export/parquet-file.ts';
import type { BackgroundWork } from '../process/background-loop.ts';
import { capability, singleton, value } from './registration.ts';

/** How long a project waits to be looked at, beyond the interval. */
const IDLE_MS = 1_000;
/** So that a project with much to export does not hold up the others. */
const EXPORTERS = 2;

const exporting = ({ exporter }: { exporter: Exporter }): BackgroundWork => ({
  name: 'export records and scores',
  work: () => exporter.advance(),
  idleDelayMs: IDLE_MS,
});

export const dataExport = capability({
  services: {
    openParquetFile: value<OpenParquetFile>((columns) => new ZstdParquetFile(columns)),
    exporter: singleton(Exporter),
    dataExportService: singleton(DataExportService),
  },
  routes: [dataExportRoutes],
  background: Array.from({ length: EXPORTERS }, () => exporting),
});
