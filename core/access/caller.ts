/** Who asks: the user behind the credentials of one request. */
export interface Caller {
  readonly user_id: string;
  readonly email: string;
  readonly role: 'admin' | 'manager' | 'user' | 'read_only';
  readonly scheme: 'api_key' | 'bearer' | 'basic';
}
