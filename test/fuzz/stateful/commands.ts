import { isDeepStrictEqual } from 'node:util';
import type * as fc from 'fast-check';
import type { Reply } from '../../http/harness.ts';
import { type Ask, type Fields, KINDS } from './kinds.ts';
import { getThingKind, isThere, type Model, type Thing, toThingPath } from './model.ts';

/** The service, for one caller; names of a run begin alike, as they are unique in the whole organisation. */
export interface Real {
  readonly ask: Ask;
  readonly prefix: string;
}

type Command = fc.AsyncCommand<Model, Real>;

function authorize(isMet: boolean, what: string, ...told: readonly unknown[]): asserts isMet {
  if (!isMet) throw new Error(`${what}: ${told.map((one) => JSON.stringify(one)).join(', ')}`);
}

const answers = ({ status, body }: Reply, ...wanted: readonly number[]): void =>
  authorize(wanted.includes(status), `answered ${status} and not ${wanted.join(' or ')}`, body);

function says(what: string, body: Fields, wanted: Fields): void {
  for (const [name, value] of Object.entries(wanted))
    authorize(isDeepStrictEqual(body[name], value), `${what}: ${name} is not what it was set to`, body[name], value);
}

const among = (things: readonly Thing[], at: number): Thing | undefined => things[at % things.length];

/** A step with its name, so that a failure tells what was done. */
const step = (told: string, check: Command['check'], run: Command['run']): Command => ({ check, run, toString: () => told });

/** Makes an object, and reads it. */
export function make(kind: string, name: string, facts: Fields, at: number): Command {
  const { within, path, named, taken, also, toBody = (fields: Fields) => fields } = KINDS[kind]!;
  const parentIn = (model: Model): Thing | undefined => (within ? among(model.there(within), at) : undefined);
  return step(
    `make ${kind} ${JSON.stringify({ name, ...facts, at })}`,
    (model) => !within || parentIn(model) !== undefined,
    async (model, { ask, prefix }) => {
      const parent = parentIn(model);
      const fields = { [named]: `${prefix} ${name}`, ...facts };
      const holder = taken === 'free' ? undefined : model.getHolder(kind, parent, fields[named]);
      const reply = await ask('POST', path(parent?.id), toBody({ ...fields, ...also }));
      if (holder && taken === 'refused') return answers(reply, 409);
      answers(reply, 200);
      if (holder && taken === 'exists') return says('what exists', reply.body, { id: holder.id });
      const given = holder ? { [named]: reply.body[named] } : {};
      authorize(!holder || reply.body[named] !== fields[named], 'two of one name', reply.body);
      const content = [...(KINDS[kind]!.content?.first ?? [])];
      const thing = { kind, id: reply.body.id, parent, fields: { ...fields, ...given }, content, isDeleted: false };
      model.things.push(thing);
      await compare(thing, ask);
    },
  );
}

/** Reads an object, also one that is gone. */
export const read = (at: number): Command =>
  step(
    `read ${at}`,
    ({ things }) => things.length > 0,
    ({ things }, { ask }) => compare(among(things, at)!, ask),
  );

export const change = (kind: string, name: string | undefined, facts: Fields, at: number): Command => {
  const { named, change: how } = KINDS[kind]!;
  const thingIn = ({ things }: Model) =>
    among(
      things.filter((thing) => thing.kind === kind),
      at,
    );
  return step(
    `change ${kind} ${JSON.stringify({ name, ...facts, at })}`,
    (model) => how !== undefined && thingIn(model) !== undefined,
    async (model, { ask, prefix }) => {
      const thing = thingIn(model)!;
      const named_as = name === undefined ? thing.fields[named] : `${prefix} ${name}`;
      const changes = { [named]: named_as, ...facts };
      const holder = model.getHolder(kind, thing.parent, named_as);
      const reply = await ask(how!.method, toThingPath(thing), changes);
      if (!isThere(thing)) return answers(reply, 404);
      if (holder && holder !== thing) answers(reply, 409);
      else {
        answers(reply, 200);
        thing.fields = { ...thing.fields, ...changes };
      }
      await compare(thing, ask);
    },
  );
};

/** Adds a row, or a version. */
export const grow = (kind: string, text: string, at: number): Command => {
  const thingIn = ({ things }: Model) =>
    among(
      things.filter((thing) => thing.kind === kind),
      at,
    );
  return step(
    `grow ${kind} ${JSON.stringify({ text, at })}`,
    (model) => thingIn(model) !== undefined,
    async (model, { ask }) => {
      const thing = thingIn(model)!;
      const reply = await getThingKind(thing).content!.add(ask, toThingPath(thing), text);
      if (!isThere(thing)) return answers(reply, 404);
      answers(reply, 200, 204);
      thing.content.push(kind === 'scorer' ? String(thing.content.length + 1) : text);
      await compare(thing, ask);
    },
  );
};

/** Deletes an object, also one that is gone; with it goes what lies in it. */
export const remove = (at: number): Command =>
  step(
    `remove ${at}`,
    ({ things }) => things.length > 0,
    async ({ things }, { ask }) => {
      const thing = among(things, at)!;
      const reply = await ask('DELETE', toThingPath(thing));
      if (!isThere(thing)) return answers(reply, 404);
      answers(reply, 200, 204);
      thing.isDeleted = true;
      await compare(thing, ask);
    },
  );

/** Lists hold what is there, once. Others may have made more. */
export const list = (kind: string, at: number): Command => {
  const parentIn = (model: Model): Thing | undefined => among(model.there(KINDS[kind]!.within ?? ''), at);
  return step(
    `list ${kind} ${at}`,
    (model) => !KINDS[kind]!.within || parentIn(model) !== undefined,
    async (model, { ask }) => {
      const parent = parentIn(model);
      const made = new Set(model.things.filter((thing) => thing.kind === kind).map(({ id }) => id));
      const found = (await KINDS[kind]!.list(ask, parent?.id)).map(({ id }) => String(id)).filter((id) => made.has(id));
      const there = model.there(kind, parent).map(({ id }) => id);
      authorize(isDeepStrictEqual(found.toSorted(), there.toSorted()), `the list of ${kind}s is not what is there`, found, there);
    },
  );
};

async function compare(thing: Thing, ask: Ask): Promise<void> {
  const { isOnlyListed, list: listed, content } = getThingKind(thing);
  if (isOnlyListed) {
    const found = (await listed(ask, thing.parent?.id)).find(({ id }) => id === thing.id);
    authorize((found !== undefined) === isThere(thing), 'listed though it is gone, or not though it is there', thing);
    if (found) says(thing.kind, found, thing.fields);
    return;
  }
  const reply = await ask('GET', toThingPath(thing));
  answers(reply, isThere(thing) ? 200 : 404);
  if (!isThere(thing)) return;
  says(thing.kind, reply.body, { id: thing.id, ...thing.fields });
  if (!content) return;
  const held = await content.read(ask, toThingPath(thing));
  const wanted = thing.kind === 'scorer' ? thing.content.toReversed() : thing.content;
  authorize(isDeepStrictEqual(held, wanted), `the content of a ${thing.kind} is not what was added`, held, wanted);
}
