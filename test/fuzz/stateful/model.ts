import type { Fields, Kind } from './kinds.ts';
import { KINDS } from './kinds.ts';

/** An object, or one that was. */
export interface Thing {
  readonly kind: string;
  readonly id: string;
  readonly parent: Thing | undefined;
  /** As it has to be read. */
  fields: Fields;
  readonly content: string[];
  isDeleted: boolean;
}

export const getThingKind = ({ kind }: Thing): Kind => KINDS[kind]!;
export const isThere = ({ isDeleted, parent }: Thing): boolean => !isDeleted && (parent === undefined || isThere(parent));
export const toThingPath = (thing: Thing): string => `${getThingKind(thing).path(thing.parent?.id)}/${thing.id}`;

/** Model of the objects that a caller has made so far. */
export class Model {
  readonly things: Thing[] = [];

  /** Those of a kind that are there, of one parent where it is given. */
  there(kind: string, parent?: Thing): Thing[] {
    return this.things.filter((thing) => thing.kind === kind && isThere(thing) && (!parent || thing.parent === parent));
  }

  /** Who has the name among those it has to be unique among. */
  getHolder(kind: string, parent: Thing | undefined, name: unknown): Thing | undefined {
    const { named } = KINDS[kind]!;
    return this.there(kind, parent).find(({ fields }) => fields[named] === name);
  }
}
