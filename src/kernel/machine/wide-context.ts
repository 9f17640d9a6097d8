/**
 * The context of an algorithm that has messages of many fields. It differs in `send` alone: places for eight fields,
 * or an array of them, made the simulation of those with few a sixth slower.
 */

import { RECORD_HEADER } from './message-buffer.ts';
import { NodeContext } from './node-context.ts';

export class WideContext extends NodeContext {
  override send(port: number, type: string, ...fields: unknown[]): void {
    const index = this.codec.indexOf(type);
    const slots = this.post(port, index) + RECORD_HEADER;
    const first = this.codec.firstPlace[index];
    for (let k = 0; k < this.codec.arity[index]; k++) this.put(slots, first + k, fields[k]);
  }
}
