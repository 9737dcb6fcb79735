import { describeReport, type ImportReport, ImportTally, isIncomplete } from '../imports/import-report.ts';
import { Importer } from '../imports/importer.ts';
import { PRODUCTS } from '../imports/products.ts';
import { DryRunTarget } from '../imports/sending/dry-run-target.ts';
import { ServiceTarget } from '../imports/sending/service-target.ts';
import { CommandError } from './command-error.ts';
import { findOrMakePlace, type PlaceOptions } from './places.ts';
import type { ServiceClient } from './service-client.ts';
import { Progress, type Terminal } from './terminal.ts';

export interface ImportRequest extends PlaceOptions {
  readonly product: string;
  readonly paths: readonly string[];
  readonly dataset?: string;
  readonly dryRun: boolean;
}

export { describeReport, isIncomplete };

/** Brings what another product exported into a project. The same files may be imported again: nothing is stored twice. */
export async function importExports(
  connect: () => Promise<ServiceClient>,
  { product: id, paths, dataset, dryRun, ...place }: ImportRequest,
  terminal: Terminal,
): Promise<ImportReport> {
  const product = PRODUCTS.find((one) => one.id === id);
  if (product === undefined) throw new CommandError(`${id} is none of ${PRODUCTS.map((one) => one.id).join(', ')}`);
  const tally = new ImportTally();
  let progress: Progress | undefined;
  let shown = '';
  const onProgress = (what: string, done: number, total?: number): void => {
    if (what !== shown) {
      progress?.end();
      progress = new Progress(terminal, what);
      shown = what;
    }
    progress!.at(done, total);
  };
  // On a dry run no service has to be there.
  const client = dryRun ? undefined : await connect();
  const target = client ? new ServiceTarget(client, await findOrMakePlace(client, place), tally) : new DryRunTarget(tally);
  try {
    await new Importer(product, target, tally, { paths, dataset, onProgress, signal: terminal.signal }).run();
  } finally {
    progress?.end();
  }
  return tally.report(id, dryRun);
}
