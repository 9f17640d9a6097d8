/**
 * A 64-bit checksum against damage in files, not against intent.
 *
 * Guarantees: a change of one word is always detected, because each step is invertible for a given word. Any other change is
 * missed with a probability of about 2^−64.
 */
export class Checksum {
  private first = 0x9e37_79b9 | 0;
  private second = 0x7f4a_7c15 | 0;

  /** Adds the bytes of an array. The result depends on where one call ends and the next begins. */
  add({ buffer, byteLength, byteOffset }: ArrayBufferView): void {
    const rest = byteLength & 3;
    const words =
      byteOffset % 4 === 0
        ? new Int32Array(buffer, byteOffset, byteLength >>> 2)
        : new Int32Array(buffer.slice(byteOffset, byteOffset + byteLength - rest));
    let { first, second } = this;
    for (let k = 0; k < words.length; k++) {
      first = Math.imul(first ^ words[k], 0x85eb_ca6b);
      first ^= first >>> 15;
      second = (Math.imul(second, 0x9e37_79b1) + words[k]) | 0;
    }
    for (const byte of new Uint8Array(buffer, byteOffset + byteLength - rest, rest)) {
      first = Math.imul(first ^ byte, 0x85eb_ca6b);
      first ^= first >>> 15;
      second = (Math.imul(second, 0x9e37_79b1) + byte) | 0;
    }
    this.first = first;
    this.second = second;
  }

  get bytes(): Uint8Array {
    return new Uint8Array(Int32Array.of(this.first, this.second).buffer);
  }

  get text(): string {
    return (this.first >>> 0).toString(16).padStart(8, '0');
  }
}
