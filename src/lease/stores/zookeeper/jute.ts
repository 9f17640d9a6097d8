/** The encoding of ZooKeeper's messages: big-endian integers, and texts and buffers after their length; -1 is the length of null. */
export class JuteWriter {
  readonly #pieces: Buffer[] = [];

  int(value: number): this {
    const piece = Buffer.allocUnsafe(4);
    piece.writeInt32BE(value);
    return this.#add(piece);
  }

  long(value: bigint): this {
    const piece = Buffer.allocUnsafe(8);
    piece.writeBigInt64BE(value);
    return this.#add(piece);
  }

  bool(value: boolean): this {
    return this.#add(Buffer.from([value ? 1 : 0]));
  }

  buffer(value: Buffer): this {
    return this.int(value.length).#add(value);
  }

  text(value: string): this {
    return this.buffer(Buffer.from(value));
  }

  /** With the length of the whole in front. */
  frame(): Buffer {
    const length = this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    const head = Buffer.allocUnsafe(4);
    head.writeInt32BE(length);
    return Buffer.concat([head, ...this.#pieces], length + 4);
  }

  #add(piece: Buffer): this {
    this.#pieces.push(piece);
    return this;
  }
}

/** Throws a `RangeError` at the end of the message. */
export class JuteReader {
  readonly #message: Buffer;
  #at = 0;

  constructor(message: Buffer) {
    this.#message = message;
  }

  int(): number {
    this.#at += 4;
    return this.#message.readInt32BE(this.#at - 4);
  }

  long(): bigint {
    this.#at += 8;
    return this.#message.readBigInt64BE(this.#at - 8);
  }

  bool(): boolean {
    this.#at += 1;
    return this.#message.readInt8(this.#at - 1) !== 0;
  }

  buffer(): Buffer {
    const length = Math.max(0, this.int());
    if (this.#at + length > this.#message.length) throw new RangeError('the message is too short');
    this.#at += length;
    return this.#message.subarray(this.#at - length, this.#at);
  }

  text(): string {
    return this.buffer().toString();
  }

  list<Item>(item: () => Item): Item[] {
    return Array.from({ length: Math.max(0, this.int()) }, item);
  }
}
