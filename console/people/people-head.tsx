import type { ComponentChildren } from 'preact';
import { Crumbs } from '../kit/crumbs.tsx';
import { Tabs } from '../kit/tabs.tsx';

const PARTS = [
  { label: 'Users', path: '/people' },
  { label: 'Groups', path: '/people/groups' },
  { label: 'My API keys', path: '/people/keys' },
  { label: 'Audit log', path: '/audit' },
] as const;

interface PeopleHeadProps {
  readonly active: (typeof PARTS)[number]['path'];
  /** Actions on the right. */
  readonly children?: ComponentChildren;
}

/** Head of all pages about permissions and the audit log. */
export const PeopleHead = ({ active, children }: PeopleHeadProps) => (
  <>
    <Crumbs crumbs={[]} title="People">
      {children}
    </Crumbs>
    <Tabs label="Parts of people" active={active} tabs={PARTS} />
  </>
);
