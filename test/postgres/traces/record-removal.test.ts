import { expect, it } from 'vitest';
import { recordRemovalContract } from '../../contracts/traces/record-removal.contract.ts';
import { newRun, span, trace, write } from '../../contracts/traces/record-stores.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

recordRemovalContract('PostgreSQL', openPostgresStores);

it('is not turned away by writers of the same records, nor turns them away', async () => {
  const stores = await openPostgresStores();
  const run = await newRun(stores);
  const families = Array.from({ length: 20 }, () => {
    const root = trace(run, { has_children: true });
    return [root, ...Array.from({ length: 20 }, () => span(root))];
  });
  const again = async (round: number) => {
    const records = families.flatMap((family) => family.map((record) => ({ ...record, name: `round ${round}` })));
    return write(
      stores,
      records.sort(() => Math.random() - 0.5),
    );
  };
  const ids = families.map(([root]) => root!.id);
  const remove = () => stores.recordRemoval.removeTraces(run.project_id, run.run_id, ids);
  const work = Array.from({ length: 15 }, (_, round) => [again(round), remove()]).flat();
  expect((await Promise.allSettled(work)).filter(({ status }) => status === 'rejected')).toEqual([]);
  await remove();
  await stores.settle();
  const { num_traces, num_spans } = (await stores.traceStore.counts(run.project_id, [run.run_id])).get(run.run_id)!;
  expect({ num_traces, num_spans }).toEqual({ num_traces: 0, num_spans: 0 });
  await stores.close();
});
