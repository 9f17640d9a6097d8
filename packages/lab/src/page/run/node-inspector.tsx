import type { InFlightMessage } from '@hustings/study/driver';
import { valueText } from '../../model/run/node-table.ts';
import type { ShownNode } from '../../model/run/run-snapshot.ts';
import { messageText, nodeName } from '../../model/run/step-effect.ts';
import { Button } from '../shell/button.tsx';
import type { RunStore } from './run-store.ts';

/** The selected node or message: its state, and the faults that can hit it. */
export function NodeInspector({ store }: { readonly store: RunStore }) {
  const selected = store.selection.value;
  const message = store.selectedMessage();
  const node = selected?.type === 'node' ? store.snapshot.value.nodes[selected.node] : undefined;
  return (
    <section class="inspector" aria-label="Selected">
      {node !== undefined && <NodePanel store={store} node={node} />}
      {message !== null && <MessagePanel store={store} message={message} />}
      {selected?.type === 'message' && message === null && (
        <p class="caption">The message that was selected is not in flight at this step.</p>
      )}
      {selected === null && (
        <p class="caption">Select a node or a message to see its state and to cause faults.</p>
      )}
    </section>
  );
}

function NodePanel({ store, node }: { readonly store: RunStore; readonly node: ShownNode }) {
  const { model } = store;
  const { position } = node;
  const changed = changesOf(store, position);
  const neighbours = neighboursOf(store, position);
  const { cutLinks } = store.snapshot.value;
  const isCut = (other: number): boolean =>
    cutLinks.has(`${Math.min(position, other)}-${Math.max(position, other)}`);
  const title = model.ids === null ? `node ${position}` : nodeName(model.world, position);
  return (
    <>
      <h2>
        {title}{' '}
        <span class="caption">
          position {position}, {node.isDead ? 'crashed' : node.role}
          {node.phase === null ? '' : `, ${node.phase}`}
        </span>
      </h2>
      <dl class="state-table" id="node-state">
        {Object.entries(node.state).map(([field, value]) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>
              {changed !== null && valueText(changed[field]) !== valueText(value) && (
                <s>{valueText(changed[field])}</s>
              )}{' '}
              {valueText(value)}
            </dd>
          </div>
        ))}
        {node.decision !== null && (
          <div>
            <dt>decided</dt>
            <dd>
              {node.decision.role}
              {node.decision.leader === null || node.decision.role === 'leader'
                ? ''
                : ` of id ${node.decision.leader}`}
            </dd>
          </div>
        )}
        {Object.entries(node.timers).map(([timer, left]) => (
          <div key={timer}>
            <dt>timer {timer}</dt>
            <dd>{left} left</dd>
          </div>
        ))}
      </dl>
      <div class="fault-buttons">
        {node.isDead ? (
          <Button onClick={() => store.change((each) => each.recover(position))}>Recover</Button>
        ) : (
          <Button kind="danger" onClick={() => store.change((each) => each.crash(position))}>
            Crash
          </Button>
        )}
        {neighbours.length > 0 &&
          neighbours.length <= 8 &&
          neighbours.map((other) => (
            <Button
              key={other}
              onClick={() =>
                store.change((each) =>
                  isCut(other) ? each.repair(position, other) : each.cut(position, other),
                )
              }
            >
              {isCut(other) ? 'Repair link to' : 'Cut link to'} {nodeName(model.world, other)}
            </Button>
          ))}
      </div>
    </>
  );
}

function MessagePanel({ store, message }: { readonly store: RunStore; readonly message: InFlightMessage }) {
  const { model } = store;
  const { from, to } = message;
  const { type, ...fields } = message.message;
  const step = { type: 'deliver' as const, from, to, port: message.port, message: message.text };
  return (
    <>
      <h2>
        {messageText(message.message)}{' '}
        <span class="caption">
          from {nodeName(model.world, from)} to {nodeName(model.world, to)}
        </span>
      </h2>
      <dl class="state-table">
        <div>
          <dt>type</dt>
          <dd>{type}</dd>
        </div>
        {Object.entries(fields).map(([field, value]) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>{valueText(value)}</dd>
          </div>
        ))}
        <div>
          <dt>sent at step</dt>
          <dd>{model.trace().sentPosition(message)}</dd>
        </div>
      </dl>
      <div class="fault-buttons">
        <Button
          disabled={!model.can('deliver', message)}
          onClick={() => store.change((each) => each.take(step))}
        >
          Deliver
        </Button>
        <Button
          kind="danger"
          disabled={!model.can('lose', message)}
          onClick={() => store.change((each) => each.lose(message))}
        >
          Lose
        </Button>
        <Button
          disabled={!model.can('duplicate', message)}
          onClick={() => store.change((each) => each.duplicate(message))}
        >
          Duplicate
        </Button>
      </div>
      {!model.can('lose', message) && (
        <p class="caption">An older message on this link comes first, or time must pass.</p>
      )}
    </>
  );
}

/** The state before the last step, if that step changed it. */
function changesOf(store: RunStore, node: number): Readonly<Record<string, unknown>> | null {
  const { model } = store;
  const { last } = store.snapshot.value;
  if (last?.events.some((event) => event.type === 'state' && event.node === node) !== true) return null;
  const trace = model.trace();
  const events = trace.events('units');
  for (let k = trace.eventsBefore(model.position - 1) - 1; k >= 0; k--) {
    const event = events[k];
    if (event.type === 'state' && event.node === node) return event.state;
  }
  return null;
}

function neighboursOf({ model }: RunStore, node: number): number[] {
  const { topology } = model.plan;
  const ports = Array.from({ length: topology.degree(node) }, (_, port) => topology.neighbour(node, port));
  return [...new Set(ports)].filter((other) => other !== node).sort((a, b) => a - b);
}
