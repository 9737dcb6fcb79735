import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { TestServer } from '../../http/harness.ts';
import { person } from '../../http/people.ts';
import { change, grow, list, make, type Real, read, remove } from './commands.ts';
import { type Ask, KINDS } from './kinds.ts';
import { Model } from './model.ts';

/** Few, so that some are taken. */
const NAMES = ['a', 'A', 'é', '%_', '"; --', '😀 <b>'];
const MAX_STEPS = 40;

const places = fc.nat({ max: 999 });
const names = fc.constantFrom(...NAMES);
const texts = fc.constantFrom('', 'x', '"\' \\', '{{input}}', 'null', '0', '😀');

const commands = fc.commands(
  [
    ...Object.entries(KINDS).flatMap(([kind, { facts, change: how, content }]) => [
      fc.tuple(names, facts, places).map(([name, sent, at]) => make(kind, name, sent, at)),
      places.map((at) => list(kind, at)),
      ...(how
        ? [
            fc
              .tuple(fc.option(names, { nil: undefined }), how.facts, places)
              .map(([name, sent, at]) => change(kind, name, sent, at)),
          ]
        : []),
      ...(content ? [fc.tuple(texts, places).map(([text, at]) => grow(kind, text, at))] : []),
    ]),
    places.map(read),
    places.map(remove),
    places.map(remove),
  ],
  { maxCommands: MAX_STEPS, size: 'max' },
);

/** Runs of random steps, each beside a plain model of what has to be there; rejects with the shortest run that differs, and the seed. */
export async function checkStateful(server: TestServer, { seed, numRuns }: { seed: number; numRuns: number }): Promise<number> {
  let steps = 0;
  const start = async (): Promise<{ model: Model; real: Real }> => {
    const { api_key } = await person(server);
    const headers = { 'service-api-key': api_key };
    const ask: Ask = (method, path, body) => {
      steps += 1;
      return body instanceof FormData
        ? server.request(method, path, undefined, { headers, raw: body })
        : server.request(method, path, body, { headers });
    };
    return { model: new Model(), real: { ask, prefix: randomUUID() } };
  };
  await fc.assert(
    fc.asyncProperty(commands, async (run) => fc.asyncModelRun(start, run)),
    { seed, numRuns, includeErrorInReport: true },
  );
  return steps;
}
