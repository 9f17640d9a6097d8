/**
 * The context of an algorithm whose messages have many fields. Only `send` differs: with room for more fields it makes the
 * simulation of other algorithms one sixth slower.
 */

import { RECORD_HEADER } from './message-buffer.ts';
import { NodeContext } from './node-context.ts';

export class WideContext extends NodeContext {
  override send(port: number, type: string, ...fields: unknown[]): void {
    const index = this.codec.indexOf(type);
    if (fields.length !== this.codec.arity[index]) this.codec.refuseArity(index, fields.length);
    const slots = this.post(port, index) + RECORD_HEADER;
    const first = this.codec.firstPlace[index];
    for (let k = 0; k < this.codec.arity[index]; k++) this.put(slots, first + k, fields[k]);
  }
}
