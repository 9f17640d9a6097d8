/** The encoding of ZooKeeper's messages: big-endian integers, and texts and buffers after their length; -1 is the length of null. */
export class JuteWriter {
  #buffer = Buffer.allocUnsafe(1_024);
  /** After the length of the whole. */
  #at = 4;

  int(value: number): this {
    this.#at = this.#room(4).writeInt32BE(value, this.#at);
    return this;
  }

  long(value: bigint): this {
    this.#at = this.#room(8).writeBigInt64BE(value, this.#at);
    return this;
  }

  bool(value: boolean): this {
    this.#at = this.#room(1).writeInt8(value ? 1 : 0, this.#at);
    return this;
  }

  buffer(value: Buffer): this {
    this.int(value.length);
    this.#at += value.copy(this.#room(value.length), this.#at);
    return this;
  }

  text(value: string): this {
    const length = Buffer.byteLength(value);
    this.int(length);
    this.#at += this.#room(length).write(value, this.#at);
    return this;
  }

  /** With the length of the whole in front. */
  frame(): Buffer {
    this.#buffer.writeInt32BE(this.#at - 4);
    return this.#buffer.subarray(0, this.#at);
  }

  /** The buffer, with room for this many bytes more. */
  #room(bytes: number): Buffer {
    const needed = this.#at + bytes;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      this.#buffer.copy(larger, 0, 0, this.#at);
      this.#buffer = larger;
    }
    return this.#buffer;
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
