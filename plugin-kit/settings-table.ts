import { z } from '../core/plugin-sdk/index.ts';

interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** The settings of a plugin as the table of its README. */
export function settingsTable(settings: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(settings, { io: 'input' }) as Node;
  const rows = Object.entries(properties).map(([name, field]) => {
    const needed = required.includes(name)
      ? 'required'
      : field.default === undefined
        ? ''
        : `\`${JSON.stringify(field.default)}\``;
    return `| \`${name}\` | ${getType(field)}${secretIn(field) ? ', secret' : ''} | ${needed} | ${field.description ?? ''} |`;
  });
  return ['| Field | Type | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function getType(node: Node): string {
  const variants = (node.anyOf ?? node.oneOf) as Node[] | undefined;
  if (variants) return [...new Set(variants.map(getType))].join(' or ');
  if (node.enum) return (node.enum as unknown[]).map((value) => `\`${value}\``).join(', ');
  if (node.type === 'array') return `list of ${getType(node.items as Node)}`;
  if (node.type === 'object' && !node.properties) return `map of ${getType(node.additionalProperties as Node)}`;
  return node.type === 'integer' ? 'whole number' : (node.type ?? 'any');
}

function secretIn(node: Node): boolean {
  return JSON.stringify(node).includes('"writeOnly":true');
}
