/** The head of one column: its words, with `end` for figures (on the right), `hidden` for those only screen readers need. */
export type TableHeader = string | { readonly end: string } | { readonly hidden: string };

interface HeadsProps {
  readonly of: readonly TableHeader[];
  /** Whether the last column holds what can be done with a row. */
  readonly actions?: boolean;
}

/** The head of a table. */
export const TableHeaders = (props: HeadsProps) => (
  <thead>
    <tr>
      <TableHeaderCells {...props} />
    </tr>
  </thead>
);

/** TableHeaders to stand in one row with heads of other kinds. */
export const TableHeaderCells = ({ of, actions = false }: HeadsProps) => (
  <>
    {of.map((head, at) => (
      <HeadCell key={at} head={head} />
    ))}
    {actions && <HeadCell head={{ hidden: 'Actions' }} />}
  </>
);

function HeadCell({ head }: { head: TableHeader }) {
  if (typeof head === 'string') return <th scope="col">{head}</th>;
  if ('end' in head)
    return (
      <th scope="col" class="text-end">
        {head.end}
      </th>
    );
  return (
    <th scope="col">
      <span class="visually-hidden">{head.hidden}</span>
    </th>
  );
}
