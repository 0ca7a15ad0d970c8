// Maia-3 on our kernels beside ONNX Runtime, in turns; see bench/maia3.
//   node maia3.mjs PROGRAM GRAPH.onnx FOLDER-OF-ONNXRUNTIME
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [program, graph, modules] = process.argv.slice(2);
const ort = createRequire(`${modules}/`)("onnxruntime-node");
const rounds = 5;

const ours = spawn(program, [graph], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: ours.stdout })[Symbol.asyncIterator]();
async function askOurs(batch, threads) {
  ours.stdin.write(`${batch} ${threads}\n`);
  const speeds = new Map();
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) throw new Error("the program ended");
    if (line === "") return speeds;
    const at = line.lastIndexOf(" ");
    speeds.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
}

// Thirty-two pieces on each of eight boards: what they are makes no difference to the time.
function inputs(batch) {
  const tokens = new Float32Array(batch * 64 * 96);
  for (let b = 0; b < batch; ++b)
    for (let board = 0; board < 8; ++board)
      for (let piece = 0; piece < 32; ++piece) tokens[(b * 64 + 2 * piece) * 96 + board * 12 + (piece % 12)] = 1;
  const elo = () => new ort.Tensor("int64", new BigInt64Array(batch).fill(1500n), [batch]);
  return { tokens: new ort.Tensor("float32", tokens, [batch, 64, 96]), self_elo: elo(), oppo_elo: elo() };
}

// `batch` positions in one call, or where the graph takes only one of them, one after the other.
async function askPeer(session, batch, atOnce) {
  const given = inputs(atOnce);
  let done = 0;
  const begin = performance.now();
  while (performance.now() - begin < 1000) {
    for (let i = 0; i < batch; i += atOnce) await session.run(given);
    done += batch;
  }
  return (done / (performance.now() - begin)) * 1000;
}

for (const [batch, threads, wanted] of [[1, 1, 1.5], [32, 1, 3], [32, 2, 3]]) {
  const session = await ort.InferenceSession.create(graph, {
    intraOpNumThreads: threads, interOpNumThreads: 1, executionMode: "sequential", graphOptimizationLevel: "all",
  });
  const best = new Map();
  let peer = 0;
  let atOnce = batch;
  const how = `Maia-3, batch ${batch}, ${threads} thread${threads > 1 ? "s" : ""}`;
  try {
    await session.run(inputs(batch));
  } catch (error) {
    if (!/invalid dimensions/.test(error.message)) throw error;
    atOnce = 1;
    console.log(`${how}: the graph takes one position at a time, so ONNX Runtime gets one after the other`);
  }
  for (let round = 0; round < rounds; ++round) {
    for (const [name, speed] of await askOurs(batch, threads)) best.set(name, Math.max(speed, best.get(name) ?? 0));
    peer = Math.max(peer, await askPeer(session, batch, atOnce));
  }
  for (const [name, speed] of best)
    console.log(`${how}: ${name} ${speed.toFixed(0)} positions/s, ONNX Runtime ${peer.toFixed(0)}, ratio ${(speed / peer).toFixed(2)}, asked for ${wanted}`);
}
ours.stdin.end();
