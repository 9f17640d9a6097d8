/**
 * One node of a ring of two that runs Chang–Roberts, as a process: `node socket-node.mjs POSITION IDS [PORT]`.
 * Position 0 listens on a free port of this machine and prints it; position 1 connects. Messages cross as lines of
 * JSON, and each line is held to the algorithm's declarations before the election sees it. Prints its decision; ends
 * when its input ends.
 *
 * What comes from the wire and is no message of this election ends the process with one line and code 1.
 */
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { changRoberts } from '@hustings/study/algorithms';
import { address, Machine, MessageBuffer, receiverOf, resolveParams } from '@hustings/study/driver';
import { Topology } from '@hustings/study/kernel';

const MAX_CHARACTERS = 1000;
const PREVIOUS = 0;

const [position, ids, port] = process.argv.slice(2);
const at = Number(position);
const machine = new Machine(changRoberts, {
  n: 2,
  ids: Int32Array.from(ids.split(','), Number),
  topology: Topology.ring(2, { oneWay: true }),
  params: resolveParams(changRoberts.name, changRoberts.params, 2, {}),
  diameter: 1,
  status: new Uint8Array(2),
});
const { codec, context, lists } = machine;
const inHand = new MessageBuffer(codec.width);
inHand.push();

/** @param {object} report */
function print(report) {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** @param {import('node:net').Socket} socket */
function applyEffects(socket) {
  const { words, end, width } = context.outbox;
  for (let base = 0; base < end; base += width) {
    if (receiverOf(words, base) === at) throw new Error('a node of two never sends to itself');
    socket.write(`${JSON.stringify(codec.read(words, base, lists))}\n`);
  }
  context.outbox.clear();
  if (context.decided) print({ decided: machine.decisions.describe(at) });
}

/** @param {import('node:net').Socket} socket @param {string} line */
function receive(socket, line) {
  const type = codec.write(JSON.parse(line), inHand.words, 0, machine.messageLimits, lists);
  address(inHand.words, 0, at, PREVIOUS, type);
  machine.receive(inHand.words, 0);
  applyEffects(socket);
}

/** @param {import('node:net').Socket} socket @param {string} reason @returns {never} */
function refuse(socket, reason) {
  process.stderr.write(`refused: ${reason}\n`);
  socket.destroy();
  process.exit(1);
}

/** @param {import('node:net').Socket} socket */
function runWatched(socket) {
  let rest = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        receive(socket, line);
      } catch (error) {
        refuse(socket, error instanceof Error ? error.message : String(error));
      }
    }
    if (rest.length > MAX_CHARACTERS) refuse(socket, `a line of more than ${MAX_CHARACTERS} characters`);
  });
  machine.start(at);
  applyEffects(socket);
}

if (port === undefined) {
  const server = createServer(runWatched).listen(0, '127.0.0.1', () => {
    const bound = server.address();
    print({ port: typeof bound === 'object' && bound !== null ? bound.port : 0 });
  });
} else {
  const socket = connect(Number(port), '127.0.0.1', () => runWatched(socket));
}

// The end of the input means stop; it also arrives when the parent process has ended.
createInterface(process.stdin).on('close', () => process.exit(0));
