/** How the store is to send an object, whatever it was put as. */
export interface SignedReading {
  readonly content_type: string;
  readonly disposition: string;
  /** When the address is made. */
  readonly at: Date;
  readonly seconds: number;
}

/** Makes addresses by which others read from a store themselves. */
export interface ReadSigner {
  /** An address under which whoever has it reads the object until the time is over. Whether there is such an object is not looked at. */
  signRead(key: string, reading: SignedReading): Promise<string>;
}
