import { UserRole } from '../../core/access/role.ts';
import type { Resource } from './scim-attributes.ts';
import { GROUP_SCHEMA } from './scim-group.ts';
import { USER_SCHEMA } from './scim-user.ts';

/** Resources of one list reply at most. */
export const MAX_COUNT = 200;

const schemaUrn = (name: string): string => `urn:ietf:params:scim:schemas:core:2.0:${name}`;

/** The parts of the protocol that are served, RFC 7643 section 5. */
export const serviceProviderConfig = (base: string): Resource => ({
  schemas: [schemaUrn('ServiceProviderConfig')],
  documentationUri: 'https://www.rfc-editor.org/rfc/rfc7644',
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_COUNT },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key as bearer token',
      description: 'An API key of an administrator, in the header Authorization: Bearer.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

const resourceType = (base: string, name: string, endpoint: string, schema: string): Resource => ({
  schemas: [schemaUrn('ResourceType')],
  id: name,
  name,
  endpoint,
  schema,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

export const resourceTypes = (base: string): Resource[] => [
  resourceType(base, 'User', '/Users', USER_SCHEMA),
  resourceType(base, 'Group', '/Groups', GROUP_SCHEMA),
];

interface Traits {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly required?: boolean;
  readonly multiValued?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable';
  readonly uniqueness?: 'none' | 'server';
  readonly canonicalValues?: readonly string[];
  readonly subAttributes?: readonly Resource[];
  readonly referenceTypes?: readonly string[];
}

const described = (name: string, description: string, traits: Traits = {}): Resource => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...traits,
});

const primary = described('primary', 'Whether it is the one that counts.', { type: 'boolean' });

const userAttributes = (): Resource[] => [
  described('userName', 'Name of the user at the provider; unique without case.', { required: true, uniqueness: 'server' }),
  described('name', 'Name of the person.', {
    type: 'complex',
    subAttributes: [
      described('formatted', 'Given and family name.', { mutability: 'readOnly' }),
      described('familyName', 'Family name.'),
      described('givenName', 'Given name.'),
    ],
  }),
  described('displayName', 'Name to show.'),
  described('active', 'False: every credential of the user is refused.', { type: 'boolean' }),
  described('emails', 'The primary one, else that for work, is kept; without any, the user name has to be one.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [described('value', 'E-mail address.'), described('type', 'Kind of address.'), primary],
  }),
  described('roles', 'Role in the organisation: one.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [described('value', 'Role.', { canonicalValues: UserRole.options }), primary],
  }),
];

const groupAttributes = (): Resource[] => [
  described('displayName', 'Name of the group; unique.', { required: true, caseExact: true, uniqueness: 'server' }),
  described('members', 'Users in the group.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      described('value', 'Id of the user.', { mutability: 'immutable', caseExact: true }),
      described('display', 'E-mail of the user.', { mutability: 'readOnly' }),
      described('type', 'Always User.', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
  }),
];

const schema = (base: string, id: string, name: string, description: string, attributes: readonly Resource[]): Resource => ({
  schemas: [schemaUrn('Schema')],
  id,
  name,
  description,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
});

export const schemas = (base: string): Resource[] => [
  schema(base, USER_SCHEMA, 'User', 'User account', userAttributes()),
  schema(base, GROUP_SCHEMA, 'Group', 'Group of users', groupAttributes()),
];
