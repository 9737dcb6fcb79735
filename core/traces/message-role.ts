const ROLES: ReadonlyMap<string, string> = new Map([
  ...['agent', 'assistant', 'developer', 'system', 'tool', 'user'].map((role) => [role, role] as const),
  ['human', 'user'],
  ['ai', 'assistant'],
  ['function', 'tool'],
]);

/** The role under which a message is kept: aliases by the name the API uses, in any case. A role that is not known stays as it came. */
export const canonicalRole = (role: string): string => ROLES.get(role) ?? ROLES.get(role.toLowerCase()) ?? role;
