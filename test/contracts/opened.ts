/** How a contract opens the port of one adapter, empty, and closes it again. */
export interface Opened<P> {
  readonly port: P;
  close(): Promise<void>;
}
